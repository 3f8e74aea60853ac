public import ModeKit

/// The view of the indoor mode.
public typealias IndoorView = StateView<IndoorScreenState>
