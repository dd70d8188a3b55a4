// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.suite;

import io.github.rdma4j.cli.run.GuestRun;
import java.util.List;
import java.util.Locale;

/** Where a bench runs. */
enum Guest {
    /** User Mode Linux: native instructions, one processor. */
    UML,

    /**
     * QEMU: several processors, emulated where there is no KVM. Emulated processors run at the same time only with one
     * compiler.
     */
    VM,

    /** The device of this machine. */
    HOST;

    private static final List<String> USUAL = List.of("-XX:+UseSerialGC");

    /** As {@code --on} takes it. */
    String option() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Guest of(String option) {
        return valueOf(option.toUpperCase(Locale.ROOT));
    }

    /** Options of a JVM that does much once: connections, a start. */
    List<String> jvmOptions() {
        return this == VM ? GuestRun.SHORT_LIVED : USUAL;
    }

    /** Options of a JVM that does little very often. */
    List<String> pollingJvmOptions() {
        return this == VM ? GuestRun.OPTIMIZED : USUAL;
    }
}
