internal import CSDL2

/// A game controller that SDL makes itself and lines from a pipe move. Everything from the device on is what a real
/// controller goes through: SDL's device list, mapping, events.
final class SDLVirtualController {
    private let sdl: SDLLibrary
    private let lines: LineSource
    private var script = VirtualControllerScript()
    private var joystick: SDLLibrary.Handle?
    private var instance: Int32 = -1

    /// Its name in SDL.
    static let name = "uavlink virtual controller"

    /// Opens the pipe and plugs the controller in.
    init(_ sdl: SDLLibrary, path: String) throws(SDLLibrary.Failure) {
        self.sdl = sdl
        lines = try LineSource(path: path)
        attach()
        guard joystick != nil else {
            throw SDLLibrary.Failure(text: "SDL2 makes no virtual game controller: \(sdl.error)")
        }
    }

    /// Does what the lines that came say; returns the last one that was not understood.
    func take() -> String? {
        var misunderstood: String?
        for event in script.feed(lines.read()) {
            switch event {
            case .axis(let axis, let value):
                // SDL counts down as positive, a hand counts up.
                let isVertical = axis == .leftY || axis == .rightY
                let reading = Int16((isVertical ? -value : value) * 32767)
                _ = sdl.setVirtualAxis(joystick, Int32(axis.rawValue), reading)
            case .button(let button, let isDown):
                guard let number = SDLDevices.buttons.first(where: { $0.value == button })?.key else { continue }
                _ = sdl.setVirtualButton(joystick, number, isDown ? 1 : 0)
                // SDL looks at the device's state: without a look between them, down and up are no press.
                sdl.update()
            case .attach: attach()
            case .detach: detach()
            case .unknown(let line): misunderstood = line
            }
        }
        return misunderstood
    }

    /// Unplugs it and closes the pipe.
    func end() {
        detach()
        lines.close()
    }

    private func attach() {
        guard joystick == nil else { return }
        let index = Self.name.withCString { name in
            var description = SDL_VirtualJoystickDesc()
            description.version = UInt16(SDL_VIRTUAL_JOYSTICK_DESC_VERSION)
            description.type = UInt16(SDL_JOYSTICK_TYPE_GAMECONTROLLER.rawValue)
            description.naxes = UInt16(VirtualControllerScript.Axis.allCases.count)
            description.axis_mask = 0b1111
            // All buttons up to the right shoulder, so that each has SDL's own number.
            description.nbuttons = UInt16(SDL_CONTROLLER_BUTTON_RIGHTSHOULDER.rawValue + 1)
            description.button_mask = (1 << UInt32(description.nbuttons)) - 1
            description.name = name
            return sdl.attachVirtual(&description)
        }
        guard index >= 0 else { return }
        joystick = sdl.joystickOpen(index)
        instance = sdl.joystickInstance(joystick)
    }

    private func detach() {
        guard let joystick else { return }
        sdl.joystickClose(joystick)
        self.joystick = nil
        for index in 0..<max(0, sdl.numJoysticks()) where sdl.deviceInstance(index) == instance {
            _ = sdl.detachVirtual(index)
            return
        }
    }
}
