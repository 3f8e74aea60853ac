internal import CSDL2

/// A virtual game controller of SDL, controlled by lines from a pipe. It uses the same path as a real controller: SDL's
/// device list, mapping and events.
final class SDLVirtualController {
    private let sdl: SDLLibrary
    private let lines: PipeReader
    private var script = VirtualControllerScript()
    private var joystick: SDLLibrary.Handle?
    private var instance: Int32 = -1

    /// The controller's name in SDL.
    static let name = "uavlink virtual controller"

    /// Opens the pipe and attaches the controller.
    init(_ sdl: SDLLibrary, path: String) throws(SDLLibrary.Failure) {
        self.sdl = sdl
        lines = try PipeReader(path: path)
        attach()
        guard joystick != nil else {
            throw SDLLibrary.Failure(text: "SDL2 cannot create a virtual game controller: \(sdl.error)")
        }
    }

    /// Executes the lines received; returns the last invalid one.
    func take() -> String? {
        var lastInvalidLine: String?
        for event in script.feed(lines.read()) {
            switch event {
            case .axis(let axis, let value):
                // Down is positive in SDL, up is positive here.
                let isVertical = axis == .leftY || axis == .rightY
                let reading = Int16((isVertical ? -value : value) * 32767)
                _ = sdl.setVirtualAxis(joystick, Int32(axis.rawValue), reading)
            case .button(let button, let isDown):
                guard let number = SDLDevices.buttons.first(where: { $0.value == button })?.key else { continue }
                _ = sdl.setVirtualButton(joystick, number, isDown ? 1 : 0)
                // SDL polls the device's state: without an update between them, down and up would cancel out.
                sdl.update()
            case .attach: attach()
            case .detach: detach()
            case .unknown(let line): lastInvalidLine = line
            }
        }
        return lastInvalidLine
    }

    /// Detaches the controller and closes the pipe.
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
            // All buttons up to the right shoulder, so that each has its SDL number.
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
