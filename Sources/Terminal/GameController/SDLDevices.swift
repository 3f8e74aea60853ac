internal import CSDL2

/// SDL's game controllers; used only on the thread that SDL was initialised on.
final class SDLDevices {
    private let sdl: SDLLibrary
    /// SDL_INIT_GAMECONTROLLER; SDL.h, which defines it, would import all of SDL.
    private let subSystem: UInt32 = 0x2000
    private var virtual: SDLVirtualController?
    private var inUse: (handle: SDLLibrary.Handle, instance: Int32, gamepad: Gamepad)?
    private var lastNumber: UInt64 = 0
    private(set) var lastInvalidLine: String?

    /// Initialises SDL's controller subsystem.
    init(_ settings: SDLGamepads.Settings) throws(SDLLibrary.Failure) {
        let sdl = try SDLLibrary.loaded.get()
        self.sdl = sdl
        for (name, value) in Self.hints { _ = sdl.setHint(name, value) }
        guard sdl.initialise(subSystem) == 0 else {
            throw SDLLibrary.Failure(text: "SDL2 cannot access game controllers: \(sdl.error)")
        }
        if let path = settings.mappingsFile, let file = sdl.rwFromFile(path, "rb") { _ = sdl.addMappings(file, 1) }
        if let path = settings.virtualController {
            do {
                virtual = try SDLVirtualController(sdl, path: path)
            } catch {
                sdl.quitSubSystem(subSystem)
                throw error
            }
        }
    }

    private static let hints = [
        // A terminal program has no window that could have focus.
        ("SDL_JOYSTICK_ALLOW_BACKGROUND_EVENTS", "1"),
        // The program handles SIGINT and SIGTERM itself.
        ("SDL_NO_SIGNAL_HANDLERS", "1"),
        // In case video is initialised: no display.
        ("SDL_VIDEODRIVER", "dummy"),
    ]

    /// Closes everything.
    func end() {
        letGo()
        virtual?.end()
        sdl.quitSubSystem(subSystem)
    }

    /// Processes the events since the last call and reads the axes.
    func look() -> GamepadsState {
        if let line = virtual?.take() { lastInvalidLine = line }
        var event = SDL_Event()
        while sdl.pollEvent(&event) != 0 { take(event) }
        guard let (handle, instance, before) = inUse else { return .none }
        var gamepad = before
        gamepad.leftX = axis(handle, SDL_CONTROLLER_AXIS_LEFTX)
        gamepad.leftY = -axis(handle, SDL_CONTROLLER_AXIS_LEFTY)
        gamepad.rightX = axis(handle, SDL_CONTROLLER_AXIS_RIGHTX)
        gamepad.rightY = -axis(handle, SDL_CONTROLLER_AXIS_RIGHTY)
        inUse = (handle, instance, gamepad)
        return .plugged(gamepad)
    }

    private func axis(_ handle: SDLLibrary.Handle, _ axis: SDL_GameControllerAxis) -> Double {
        max(-1, Double(sdl.controllerAxis(handle, axis.rawValue)) / 32767)
    }

    private func take(_ event: SDL_Event) {
        switch SDL_EventType(rawValue: event.type) {
        case SDL_CONTROLLERDEVICEADDED:
            if inUse == nil { use(event.cdevice.which) }
        case SDL_CONTROLLERDEVICEREMOVED where event.cdevice.which == inUse?.instance:
            letGo()
            // Another connected one replaces it under a new number, so that it does not take over steering by itself.
            for index in 0..<max(0, sdl.numJoysticks()) where inUse == nil { use(index) }
        case SDL_CONTROLLERBUTTONDOWN where event.cbutton.which == inUse?.instance:
            guard let button = Self.buttons[Int32(event.cbutton.button)] else { return }
            inUse?.gamepad.presses[button, default: 0] += 1
        default: return
        }
    }

    private func use(_ index: Int32) {
        guard sdl.isGameController(index) == SDL_TRUE, let handle = sdl.controllerOpen(index) else { return }
        lastNumber += 1
        let name = sdl.controllerName(handle).map { String(cString: $0) } ?? "game controller"
        inUse = (handle, sdl.joystickInstance(sdl.controllerJoystick(handle)), Gamepad(number: lastNumber, name: name))
    }

    private func letGo() {
        if let inUse { sdl.controllerClose(inUse.handle) }
        inUse = nil
    }

    static let buttons: [Int32: GamepadButton] = [
        SDL_CONTROLLER_BUTTON_A.rawValue: .a, SDL_CONTROLLER_BUTTON_B.rawValue: .b,
        SDL_CONTROLLER_BUTTON_X.rawValue: .x, SDL_CONTROLLER_BUTTON_Y.rawValue: .y,
        SDL_CONTROLLER_BUTTON_BACK.rawValue: .back, SDL_CONTROLLER_BUTTON_START.rawValue: .start,
        SDL_CONTROLLER_BUTTON_LEFTSHOULDER.rawValue: .leftShoulder,
        SDL_CONTROLLER_BUTTON_RIGHTSHOULDER.rawValue: .rightShoulder,
    ]
}
