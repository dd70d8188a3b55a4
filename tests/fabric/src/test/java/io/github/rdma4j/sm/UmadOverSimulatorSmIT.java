// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.internal.libc.Binding;
import io.github.rdma4j.support.Program;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The way through the umad file to a real OpenSM and back: ioctls, headers, read, write and poll as on InfiniBand, only
 * that the simulator's library answers them. In a JVM of its own, for that library may take a process with it.
 */
@OnFabric
class UmadOverSimulatorSmIT {
    private static final String GROUP = "ff12:401b:ffff:0000:0000:0000:0000:0815";

    @Test
    void asksThroughTheUmadFile() throws Exception {
        try (IbsimFabric fabric = IbsimFabric.start(FabricPlan.ofAdapters(2))) {
            List<String> command =
                    new ArrayList<>(List.of("env", "-C", fabric.directory().toString()));
            fabric.simulatorEnvironment("HcaB").forEach((name, value) -> command.add(name + '=' + value));
            List<String> java = new ArrayList<>(Program.java(UmadOverSimulator.class, GROUP));
            java.add(1, "-D" + Binding.LIBRARY_PROPERTY + '=' + FabricPlan.simulatorLibrary());
            command.addAll(java);
            try (Program program = Program.start(command)) {
                String port = String.format("fe80:0000:0000:0000:%s", guid(FabricPlan.portGuid("HcaB")));
                assertThat(program.success().lines())
                        .containsSequence(
                                "port " + port + " active true pkey 65535",
                                "send-only full member Optional[true]",
                                "joined " + GROUP + " as 1",
                                "members 1 first " + port,
                                "path from own LID true",
                                "refused 0x0300 (no records match)",
                                "left 6 0");
            }
            assertThat(fabric.saquery("HcaA", "-g")).doesNotContain("815");
        }
    }

    private static String guid(long guid) {
        return String.format(
                "%04x:%04x:%04x:%04x", guid >>> 48, guid >>> 32 & 0xffff, guid >>> 16 & 0xffff, guid & 0xffff);
    }
}
