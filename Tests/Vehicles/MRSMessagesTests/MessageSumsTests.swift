import MRSMessages
import ROSMessages
import Testing

/// The sums that the real flight stack announces.
@Suite struct MessageSumsTests {
    @Test(arguments: [
        Announced(MRSMsgs.Reference.self, "mrs_msgs/Reference", "b7529b96025c54855f296c4413ac7578"),
        Announced(MRSMsgs.ReferenceStamped.self, "mrs_msgs/ReferenceStamped", "3e37cd4d360107bbe8b9682f8ebc4650"),
        Announced(MRSMsgs.VelocityReference.self, "mrs_msgs/VelocityReference", "2348b640862acc25f552bfe7973e0390"),
        Announced(
            MRSMsgs.VelocityReferenceStamped.self, "mrs_msgs/VelocityReferenceStamped",
            "9dc32c82b2b9ffd6f16c8bf17c42baad"),
        Announced(MRSMsgs.TrajectoryReference.self, "mrs_msgs/TrajectoryReference", "c35eaf8fc25da8c5757a71d2aec21c44"),
        Announced(MRSMsgs.Path.self, "mrs_msgs/Path", "50bf043421f719c3c43f15800c6df1a0"),
        Announced(MRSMsgs.TrackerStatus.self, "mrs_msgs/TrackerStatus", "5ea2a4a35bb0e5919b04ccc8fabc5aa3"),
        Announced(MRSMsgs.ControllerStatus.self, "mrs_msgs/ControllerStatus", "2c5cfb0a2565df41de6873994aee57d2"),
        Announced(
            MRSMsgs.ControlManagerDiagnostics.self, "mrs_msgs/ControlManagerDiagnostics",
            "93a34f5398536929bb3e206beb3d1a58"),
        Announced(
            MRSMsgs.UavManagerDiagnostics.self, "mrs_msgs/UavManagerDiagnostics", "a36cfe6c4a5e86cde263040f2311eaf6"),
        Announced(
            MRSMsgs.EstimationDiagnostics.self, "mrs_msgs/EstimationDiagnostics", "e9ba1fde107f8b68c78c54d71f754aa4"),
        Announced(MRSMsgs.UavState.self, "mrs_msgs/UavState", "12da4144339752f09d3b2198bdb565a7"),
        Announced(
            MRSMsgs.ConstraintManagerDiagnostics.self, "mrs_msgs/ConstraintManagerDiagnostics",
            "4492970994a46fd3abfb96a139dcd930"),
        Announced(
            MRSMsgs.GainManagerDiagnostics.self, "mrs_msgs/GainManagerDiagnostics", "ea9e9b21b14cb0bd7b6b785963b52f09"),
        Announced(MRSMsgs.DynamicsConstraints.self, "mrs_msgs/DynamicsConstraints", "9b79235a15953215e436f7e546e99c44"),
        Announced(MRSMsgs.Float64Stamped.self, "mrs_msgs/Float64Stamped", "d053817de0764f9ee90dbc89c4cdd751"),
        Announced(MRSMsgs.HwApiStatus.self, "mrs_msgs/HwApiStatus", "8161228afbd5dfe19fab9500c96bba39"),
        Announced(MRSMsgs.HwApiCapabilities.self, "mrs_msgs/HwApiCapabilities", "78f7cac5979c591ae2426ac51d504bd6"),
        Announced(MRSMsgs.UavStatusShort.self, "mrs_msgs/UavStatusShort", "799c7489ad9979eb43be3571ef53b456"),
        Announced(MRSMsgs.UavStatus.self, "mrs_msgs/UavStatus", "4802adcdb2264a820b1be493e7502cc3"),
        Announced(MRSMsgs.CustomTopic.self, "mrs_msgs/CustomTopic", "eb521c01a11f857100125253e2150a98"),
        Announced(MRSMsgs.NodeCpuLoad.self, "mrs_msgs/NodeCpuLoad", "fde7b9ae5b72c740d25f009d8731c6a2"),
        Announced(MRSMsgs.Vec1.self, "mrs_msgs/Vec1", "9f12dd235d16c796b68c355a87389da0"),
        Announced(MRSMsgs.Vec4.self, "mrs_msgs/Vec4", "023f7b397f1175bc8ddb57928281c1d4"),
        Announced(MRSMsgs.String.self, "mrs_msgs/String", "43ad6a9b380ac342e4b20e501a2fd46c"),
        Announced(MRSMsgs.ReferenceStampedSrv.self, "mrs_msgs/ReferenceStampedSrv", "28cdbf41a017795fe55f4fe1bc97170e"),
        Announced(
            MRSMsgs.VelocityReferenceStampedSrv.self, "mrs_msgs/VelocityReferenceStampedSrv",
            "2049bed7ddaf936a6b0c045878f5182e"),
        Announced(
            MRSMsgs.TrajectoryReferenceSrv.self, "mrs_msgs/TrajectoryReferenceSrv", "c46e24277d96ed318e50872a694d7abc"),
        Announced(MRSMsgs.PathSrv.self, "mrs_msgs/PathSrv", "42c5d48944eee68d02aa3a91b3beceea"),
        Announced(MRSMsgs.GetPathSrv.self, "mrs_msgs/GetPathSrv", "0f6636be874217521cf485b7fa695ff3"),
        Announced(MRSMsgs.ValidateReference.self, "mrs_msgs/ValidateReference", "06b7f4eca680cb864af481be91ecc956"),
        Announced(
            MRSMsgs.ValidateReferenceArray.self, "mrs_msgs/ValidateReferenceArray", "46491d4c7f943df7ad4ac8baeaa1711f"),
        Announced(MRSMsgs.GetFloat64.self, "mrs_msgs/GetFloat64", "13e23e74b0a02943a0d2f6c5c29a5cd8"),
        Announced(MRSMsgs.Float64StampedSrv.self, "mrs_msgs/Float64StampedSrv", "b70212202386f89868e028f471ec5a6e"),
        Announced(
            MRSMsgs.TransformReferenceSrv.self, "mrs_msgs/TransformReferenceSrv", "5e0803e0e8a703e9f79a6e9c93ef94c5"),
        Announced(StdSrvs.Trigger.self, "std_srvs/Trigger", "937c9679a518e3a18d831e57125ea522"),
        Announced(StdSrvs.SetBool.self, "std_srvs/SetBool", "09fb03525b03e7ea1fd3992bafd87e16"),
        Announced(NavMsgs.Odometry.self, "nav_msgs/Odometry", "cd5e73d190d741a2f92e81eda573aca7"),
        Announced(SensorMsgs.BatteryState.self, "sensor_msgs/BatteryState", "4ddae7f048e32fda22cac764685e3974"),
        Announced(SensorMsgs.NavSatFix.self, "sensor_msgs/NavSatFix", "2d3a8cd499b9b4a0249fb98fd05cfa48"),
        Announced(SensorMsgs.Range.self, "sensor_msgs/Range", "c005c34273dc426c67a020a87bc24148"),
        Announced(
            VisualizationMsgs.MarkerArray.self, "visualization_msgs/MarkerArray", "d155b9ce5188fbaf89745847fd5882d7"),
        Announced(TF2Msgs.TFMessage.self, "tf2_msgs/TFMessage", "94810edda583a504dfda3829e70d7eec"),
        Announced(RosgraphMsgs.Clock.self, "rosgraph_msgs/Clock", "a9c97c1d230cfc112e270351a944ee47"),
        Announced(RosgraphMsgs.Log.self, "rosgraph_msgs/Log", "acffd30cd6b6de30f120938c17c593fb"),
    ])
    func `a generated type has the name and the sum that the flight stack announces`(announced: Announced) {
        #expect(announced.ours == announced.theirs)
    }

    struct Announced: Sendable {
        struct Identity: Equatable, Sendable {
            let typeName: String
            let md5: String
        }

        let ours: Identity
        let theirs: Identity

        init(_ type: (some ROSMessage).Type, _ typeName: String, _ md5: String) {
            ours = Identity(typeName: type.typeName, md5: type.md5)
            theirs = Identity(typeName: typeName, md5: md5)
        }

        init(_ type: (some ROSService).Type, _ typeName: String, _ md5: String) {
            ours = Identity(typeName: type.typeName, md5: type.md5)
            theirs = Identity(typeName: typeName, md5: md5)
        }
    }
}
