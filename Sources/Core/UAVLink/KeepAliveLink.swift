/// A link to a machine that has a failsafe of its own for a ground that is silent, and that the link keeps from it only while the
/// program uses the link: a Tello lands when nothing has come for 15 s.
///
/// Commands, setpoints and questions to the link are uses by themselves. A program whose pilot is elsewhere, such as a companion,
/// has to say it: on the thread that would hang with it, and only while a pilot can command the machine.
public protocol KeepAliveLink: UAVLink {
    /// Says that somebody is there to command the machine; counts for about 3 s. It must not block or allocate.
    func keepAlive()
}
