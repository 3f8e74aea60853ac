package import ModeKit

/// The view of the log-in.
package typealias LoginView = StateView<LoginScreenState>
