internal import CSDL2
internal import SystemIO

/// SDL2, loaded on the first use of a game controller: it depends on forty libraries (X11, Wayland, sound), which would
/// otherwise slow down every start of every program.
struct SDLLibrary: Sendable {
    typealias Handle = OpaquePointer

    let setHint: @Sendable @convention(c) (UnsafePointer<CChar>?, UnsafePointer<CChar>?) -> SDL_bool
    let initialise: @Sendable @convention(c) (UInt32) -> Int32
    let quitSubSystem: @Sendable @convention(c) (UInt32) -> Void
    let getError: @Sendable @convention(c) () -> UnsafePointer<CChar>?
    let pollEvent: @Sendable @convention(c) (UnsafeMutablePointer<SDL_Event>?) -> Int32
    let rwFromFile: @Sendable @convention(c) (UnsafePointer<CChar>?, UnsafePointer<CChar>?) -> UnsafeMutableRawPointer?
    let addMappings: @Sendable @convention(c) (UnsafeMutableRawPointer?, Int32) -> Int32
    let update: @Sendable @convention(c) () -> Void
    let numJoysticks: @Sendable @convention(c) () -> Int32
    let isGameController: @Sendable @convention(c) (Int32) -> SDL_bool
    let controllerOpen: @Sendable @convention(c) (Int32) -> Handle?
    let controllerClose: @Sendable @convention(c) (Handle?) -> Void
    let controllerName: @Sendable @convention(c) (Handle?) -> UnsafePointer<CChar>?
    let controllerAxis: @Sendable @convention(c) (Handle?, Int32) -> Int16
    let controllerJoystick: @Sendable @convention(c) (Handle?) -> Handle?
    let joystickOpen: @Sendable @convention(c) (Int32) -> Handle?
    let joystickClose: @Sendable @convention(c) (Handle?) -> Void
    let joystickInstance: @Sendable @convention(c) (Handle?) -> Int32
    let deviceInstance: @Sendable @convention(c) (Int32) -> Int32
    let attachVirtual: @Sendable @convention(c) (UnsafePointer<SDL_VirtualJoystickDesc>?) -> Int32
    let detachVirtual: @Sendable @convention(c) (Int32) -> Int32
    let setVirtualAxis: @Sendable @convention(c) (Handle?, Int32, Int16) -> Int32
    let setVirtualButton: @Sendable @convention(c) (Handle?, Int32, UInt8) -> Int32

    /// Why SDL cannot be used, in one line.
    struct Failure: Error, Hashable {
        let text: String
    }

    /// The library, or why it cannot be loaded; loaded on first access and never unloaded.
    static let loaded: Result<SDLLibrary, Failure> = Result { () throws(DynamicLibrary.Failure) in try SDLLibrary() }
        .mapError { Failure(text: $0.description) }

    /// SDL's last error on this thread.
    var error: String { getError().map { String(cString: $0) } ?? "no reason given" }

    private static let source = DynamicLibrary.Source(
        "SDL2", debianPackage: "libsdl2-2.0-0", firstVersion: "2.24", linux: ["libSDL2-2.0.so.0", "libSDL2.so"],
        darwin: ["libSDL2-2.0.0.dylib", "/opt/homebrew/lib/libSDL2.dylib", "/usr/local/lib/libSDL2.dylib"])

    private init() throws(DynamicLibrary.Failure) {
        let library = try DynamicLibrary(Self.source)
        setHint = try library.function("SDL_SetHint")
        initialise = try library.function("SDL_InitSubSystem")
        quitSubSystem = try library.function("SDL_QuitSubSystem")
        getError = try library.function("SDL_GetError")
        pollEvent = try library.function("SDL_PollEvent")
        rwFromFile = try library.function("SDL_RWFromFile")
        addMappings = try library.function("SDL_GameControllerAddMappingsFromRW")
        update = try library.function("SDL_JoystickUpdate")
        numJoysticks = try library.function("SDL_NumJoysticks")
        isGameController = try library.function("SDL_IsGameController")
        controllerOpen = try library.function("SDL_GameControllerOpen")
        controllerClose = try library.function("SDL_GameControllerClose")
        controllerName = try library.function("SDL_GameControllerName")
        controllerAxis = try library.function("SDL_GameControllerGetAxis")
        controllerJoystick = try library.function("SDL_GameControllerGetJoystick")
        joystickOpen = try library.function("SDL_JoystickOpen")
        joystickClose = try library.function("SDL_JoystickClose")
        joystickInstance = try library.function("SDL_JoystickInstanceID")
        deviceInstance = try library.function("SDL_JoystickGetDeviceInstanceID")
        attachVirtual = try library.function("SDL_JoystickAttachVirtualEx")
        detachVirtual = try library.function("SDL_JoystickDetachVirtual")
        setVirtualAxis = try library.function("SDL_JoystickSetVirtualAxis")
        setVirtualButton = try library.function("SDL_JoystickSetVirtualButton")
    }
}
