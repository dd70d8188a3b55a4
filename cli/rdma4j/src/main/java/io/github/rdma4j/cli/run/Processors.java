// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The kind of processor on which this program runs, which determines measured figures. */
public final class Processors {
    private Processors() {}

    /** Returns {@code User Mode Linux}, {@code QEMU without KVM} or similar; {@code this machine} outside of guests. */
    public static String name() {
        try {
            return name("1".equals(System.getenv("RDMA4J_GUEST")), Files.readString(Path.of("/proc/cpuinfo")));
        } catch (IOException e) {
            return "unknown processors";
        }
    }

    static String name(boolean guest, String processors) {
        if (!guest) {
            return "this machine";
        }
        if (processors.contains("User Mode Linux")) {
            return "User Mode Linux";
        }
        if (processors.contains("CPU implementer")) {
            return "QEMU that emulates arm64";
        }
        return processors.contains("QEMU TCG") ? "QEMU without KVM" : "QEMU with KVM";
    }
}
