/* Only types and constants: GameController loads the library itself when it is first needed. */
#if __has_include(<SDL2/SDL_gamecontroller.h>)
#include <SDL2/SDL_events.h>
#include <SDL2/SDL_gamecontroller.h>
#include <SDL2/SDL_hints.h>
#include <SDL2/SDL_joystick.h>
#else
#include <SDL_events.h>
#include <SDL_gamecontroller.h>
#include <SDL_hints.h>
#include <SDL_joystick.h>
#endif
