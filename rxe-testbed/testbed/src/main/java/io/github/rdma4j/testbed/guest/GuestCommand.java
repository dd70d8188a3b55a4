// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.guest;

import io.github.rdma4j.testbed.host.ProcessBytes;
import io.github.rdma4j.testbed.machine.MachineSpec;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A command and the machine of its guest. Arguments, environment and directory are bytes, as in the kernel. The
 * environment and the directory are those of this process.
 *
 * @param machine the machine of the guest
 * @param arguments the program and its arguments
 * @param seconds the time after which the command is ended, counted from the start of the command; 0 for no limit
 */
public record GuestCommand(MachineSpec machine, List<byte[]> arguments, int seconds) {
    private static final String IN_GUEST = "RDMA4J_GUEST=1";

    /** A command with arguments in UTF-8 and without a timeout. */
    public static GuestCommand of(MachineSpec machine, List<String> arguments) {
        List<byte[]> bytes = arguments.stream()
                .map(argument -> argument.getBytes(StandardCharsets.UTF_8))
                .toList();
        return new GuestCommand(machine, bytes, 0);
    }

    List<byte[]> environment() {
        List<byte[]> environment = new ArrayList<>();
        for (byte[] entry : ProcessBytes.environment()) {
            String text = new String(entry, StandardCharsets.ISO_8859_1);
            if (text.indexOf('=', 1) > 0 && !text.startsWith("RDMA4J_GUEST=")) {
                environment.add(entry);
            }
        }
        environment.add(IN_GUEST.getBytes(StandardCharsets.UTF_8));
        return environment;
    }
}
