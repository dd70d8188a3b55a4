// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.suite;

import io.github.rdma4j.cli.run.GuestRun;
import java.util.List;
import java.util.Locale;

/** Where a bench runs. */
enum Guest {
    /** User Mode Linux: native instructions, one processor. */
    UML(List.of("-XX:+UseSerialGC"), List.of("-XX:+UseSerialGC")),

    /** QEMU: several processors, emulated where there is no KVM. Emulated processors run at the same time only with one compiler. */
    VM(GuestRun.SHORT_LIVED, GuestRun.OPTIMIZED),

    /** The device of this machine. */
    HOST(List.of("-XX:+UseSerialGC"), List.of("-XX:+UseSerialGC"));

    private final List<String> jvmOptions;
    private final List<String> pollingJvmOptions;

    Guest(List<String> jvmOptions, List<String> pollingJvmOptions) {
        this.jvmOptions = jvmOptions;
        this.pollingJvmOptions = pollingJvmOptions;
    }

    /** As {@code --on} takes it. */
    String option() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Guest of(String option) {
        return valueOf(option.toUpperCase(Locale.ROOT));
    }

    /** Options of a JVM that does much once: connections, a start. */
    List<String> jvmOptions() {
        return jvmOptions;
    }

    /** Options of a JVM that does little very often. */
    List<String> pollingJvmOptions() {
        return pollingJvmOptions;
    }
}
