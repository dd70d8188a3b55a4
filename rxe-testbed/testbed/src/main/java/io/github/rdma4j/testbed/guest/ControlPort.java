// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.guest;

import io.github.rdma4j.testbed.host.ProcessBytes;
import io.github.rdma4j.testbed.machine.GuestMachine;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** The host's messages of the protocol that {@code agent.pl} describes. Thread-safe. */
final class ControlPort {
    private final GuestMachine.Control control;

    ControlPort(GuestMachine.Control control) {
        this.control = control;
    }

    void sendCommand(GuestCommand command, Path modules) {
        ByteArrayOutputStream fields = new ByteArrayOutputStream();
        fields.writeBytes(ProcessBytes.workingDirectory());
        field(fields, utf8(modules.toString()));
        list(
                fields,
                command.machine().shares().stream()
                        .map(path -> utf8(path.toString()))
                        .toList());
        list(fields, command.arguments());
        list(fields, command.environment());
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        message.writeBytes(utf8("command " + fields.size() + "\n"));
        message.writeBytes(fields.toByteArray());
        send(message.toByteArray());
    }

    private static void list(ByteArrayOutputStream fields, List<byte[]> values) {
        field(fields, utf8(String.valueOf(values.size())));
        values.forEach(value -> field(fields, value));
    }

    private static void field(ByteArrayOutputStream fields, byte[] value) {
        fields.write(0);
        fields.writeBytes(value);
    }

    /** Lets a node that has reported itself ready start its command. */
    void sendGo() {
        send(utf8("go\n"));
    }

    /** Sends a signal to the command, or to its process group as a terminal would. */
    void sendSignal(int number, boolean toGroup) {
        send(utf8("signal " + number + (toGroup ? " group\n" : " process\n")));
    }

    /** Tells the guest that this stream of the command has lost its reader. */
    void sendClose(int descriptor) {
        send(utf8("close " + descriptor + "\n"));
    }

    private void send(byte[] message) {
        try {
            control.write(message);
        } catch (IOException e) {
            // The guest has ended; the thread that waits for it learns so from the reading side.
            return;
        }
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
