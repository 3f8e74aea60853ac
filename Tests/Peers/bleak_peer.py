#!/usr/bin/env python3
"""A ground of others: bleak (PyPI) drives the simulated robot over the fake BlueZ on the bus of DBUS_SYSTEM_BUS_ADDRESS.

Prints one JSON object at the end.
"""
import asyncio
import json
import os

from bleak import BleakClient, BleakScanner

SERIAL = "0000dfb1-0000-1000-8000-00805f9b34fb"
COMMANDS = "0000dfb2-0000-1000-8000-00805f9b34fb"
MODEL = "00002a24-0000-1000-8000-00805f9b34fb"
# How much longer this machine takes than a usual one: see MachinePace in Tests/IntegrationKit.
PACE = max(1.0, float(os.environ.get("UAVLINK_TEST_PACE", "1")))


async def main():
    heard = bytearray()
    device = await BleakScanner.find_device_by_filter(lambda device, data: (device.name or "").startswith("Bluno"), timeout=30 * PACE)
    async with BleakClient(device, timeout=30 * PACE) as client:
        model = bytes(await client.read_gatt_char(MODEL)).rstrip(b"\0").decode()
        await client.write_gatt_char(COMMANDS, b"AT+PASSWOR=DFRobot\r\n", response=True)
        await client.start_notify(SERIAL, lambda _, data: heard.extend(data))
        for text in (b"1", b"<200>", b"l"):
            await client.write_gatt_char(SERIAL, text, response=False)
        for _ in range(int(400 * PACE)):
            if b"battery" in heard:
                break
            await asyncio.sleep(0.05)
        # The other end sees it drive until this line is answered.
        print("driving", flush=True)
        await asyncio.get_running_loop().run_in_executor(None, input)
        await client.write_gatt_char(SERIAL, b"s", response=False)
    print(json.dumps({"done": True, "name": device.name, "model": model, "heard": heard.decode("latin-1")}), flush=True)


asyncio.run(main())
