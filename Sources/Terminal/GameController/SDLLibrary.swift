internal import CSDL2

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

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
    static let loaded: Result<SDLLibrary, Failure> = Result { () throws(Failure) in try SDLLibrary() }

    /// SDL's last error on this thread.
    var error: String { getError().map { String(cString: $0) } ?? "no reason given" }

    private static let names: [String] = {
        #if canImport(Glibc)
            ["libSDL2-2.0.so.0", "libSDL2.so"]
        #else
            ["libSDL2-2.0.0.dylib", "/opt/homebrew/lib/libSDL2.dylib", "/usr/local/lib/libSDL2.dylib"]
        #endif
    }()

    private init() throws(Failure) {
        guard let library = Self.names.lazy.compactMap({ dlopen($0, RTLD_NOW | RTLD_LOCAL) }).first else {
            throw Failure(text: "SDL2 is not installed on this machine; run scripts/setup --runtime")
        }
        func find<Function>(_ name: String) throws(Failure) -> Function {
            guard let address = dlsym(library, name) else {
                throw Failure(text: "SDL2 on this machine has no '\(name)': version 2.24 or newer is needed")
            }
            return unsafeBitCast(address, to: Function.self)
        }
        setHint = try find("SDL_SetHint")
        initialise = try find("SDL_InitSubSystem")
        quitSubSystem = try find("SDL_QuitSubSystem")
        getError = try find("SDL_GetError")
        pollEvent = try find("SDL_PollEvent")
        rwFromFile = try find("SDL_RWFromFile")
        addMappings = try find("SDL_GameControllerAddMappingsFromRW")
        update = try find("SDL_JoystickUpdate")
        numJoysticks = try find("SDL_NumJoysticks")
        isGameController = try find("SDL_IsGameController")
        controllerOpen = try find("SDL_GameControllerOpen")
        controllerClose = try find("SDL_GameControllerClose")
        controllerName = try find("SDL_GameControllerName")
        controllerAxis = try find("SDL_GameControllerGetAxis")
        controllerJoystick = try find("SDL_GameControllerGetJoystick")
        joystickOpen = try find("SDL_JoystickOpen")
        joystickClose = try find("SDL_JoystickClose")
        joystickInstance = try find("SDL_JoystickInstanceID")
        deviceInstance = try find("SDL_JoystickGetDeviceInstanceID")
        attachVirtual = try find("SDL_JoystickAttachVirtualEx")
        detachVirtual = try find("SDL_JoystickDetachVirtual")
        setVirtualAxis = try find("SDL_JoystickSetVirtualAxis")
        setVirtualButton = try find("SDL_JoystickSetVirtualButton")
    }
}
