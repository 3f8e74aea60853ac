public import ROS2

extension ROS2.TypeDescription {
    /// Reads what a node answered to `get_type_description`.
    ///
    /// - Throws: `InterfaceError` when a name or the number of a type is none.
    public init(_ message: TypeDescriptionInterfaces.TypeDescription) throws(InterfaceError) {
        guard message.referencedTypeDescriptions.count < InterfaceSet.maximumDefinitions else {
            throw InterfaceError(
                "more than \(InterfaceSet.maximumDefinitions) types", in: message.typeDescription.typeName)
        }
        var referenced: [ROS2.IndividualTypeDescription] = []
        for other in message.referencedTypeDescriptions { referenced.append(try .init(other)) }
        self.init(type: try .init(message.typeDescription), referenced: referenced)
    }
}

extension ROS2.IndividualTypeDescription {
    fileprivate init(_ message: TypeDescriptionInterfaces.IndividualTypeDescription) throws(InterfaceError) {
        guard ROS2TypeName(message.typeName) != nil else {
            throw InterfaceError("it is no name of a type", in: message.typeName)
        }
        var fields: [Field] = []
        for field in message.fields {
            let shape = FieldShape(
                typeID: field.type.typeID, capacity: field.type.capacity, stringCapacity: field.type.stringCapacity,
                nestedTypeName: field.type.nestedTypeName)
            guard let shape else {
                throw InterfaceError(
                    "field '\(field.name)' has the unknown type \(field.type.typeID)", in: message.typeName)
            }
            fields.append(Field(name: field.name, type: shape, defaultValue: field.defaultValue))
        }
        self.init(typeName: message.typeName, fields: fields)
    }
}

extension TypeDescriptionInterfaces.TypeDescription {
    /// What a node of ours answers to `get_type_description`.
    public init(_ description: ROS2.TypeDescription) {
        self.init(
            typeDescription: .init(description.type),
            referencedTypeDescriptions: description.referenced.map { .init($0) })
    }
}

extension TypeDescriptionInterfaces.IndividualTypeDescription {
    fileprivate init(_ description: ROS2.IndividualTypeDescription) {
        self.init(
            typeName: description.typeName,
            fields: description.fields.map { field in
                TypeDescriptionInterfaces.Field(
                    name: field.name,
                    type: TypeDescriptionInterfaces.FieldType(
                        typeID: field.type.typeID, capacity: field.type.capacity,
                        stringCapacity: field.type.stringCapacity, nestedTypeName: field.type.nestedTypeName),
                    defaultValue: field.defaultValue)
            })
    }
}
