public import ModeKit

/// The view of the log-in.
public typealias LoginView = StateView<LoginScreenState>
