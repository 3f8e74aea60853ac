/// The refusals of machines with their own protocol (facts: the answers of a Tello).
enum MachineRefusals {
    private static let stopped = "not flying: its motors are stopped"

    static let table = [
        // A landing or a move on the ground; editions write it in two ways.
        MRSRefusals.Entry(whole: "error Motor stop", means: stopped),
        MRSRefusals.Entry(whole: "error Motor Stop", means: stopped),
    ]
}
