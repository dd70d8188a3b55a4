// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ConsoleTest {
    private final MachineProcess.Console console = new MachineProcess.Console();

    @Test
    void keepsTheLastLinesOnly() {
        IntStream.range(0, 100).forEach(i -> console.line("line " + i));

        assertThat(console.tail().lines()).hasSize(60).startsWith("line 40").endsWith("line 99");
    }

    @Test
    void dropsWhatTheFirmwareDrawsAndEmptyLines() {
        console.line("\u001bc\u001b[?7l\u001b[2J\u001b[0mSeaBIOS\r");
        console.line("\r");

        assertThat(console.tail()).isEqualTo("SeaBIOS");
    }

    @Test
    void forgetsWhatTheKernelSaidOfTheMachineWhileItBooted() {
        assertThat(console.isSilent()).isTrue();
        console.line("check_one_sigio failed, errno = 13");
        console.booted();
        console.line("rxe0: a failure");

        assertThat(console.tail()).isEqualTo("rxe0: a failure");
        assertThat(console.isSilent()).isFalse();
    }

    @Test
    void tellsAPanicForLackOfMemoryFromOthers() {
        console.line("[ 1.0] Kernel panic - not syncing: sysrq triggered crash");
        assertThat(console.panicked()).isTrue();
        assertThat(console.panickedOutOfMemory()).isFalse();

        console.line("[ 1.0] Kernel panic - not syncing: System is deadlocked on memory");
        assertThat(console.panickedOutOfMemory()).isTrue();
    }
}
