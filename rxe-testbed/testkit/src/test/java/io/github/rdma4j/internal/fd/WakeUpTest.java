// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.fd;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.internal.libc.InterceptedSyscalls;
import io.github.rdma4j.internal.libc.Syscalls;
import io.github.rdma4j.internal.memory.IdlePool;
import io.github.rdma4j.kernel.ErrnoException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The pool of real eventfds. */
class WakeUpTest {
    private final Syscalls real = LinuxKernel.running().syscalls();
    private final AtomicInteger opened = new AtomicInteger();
    private final AtomicInteger closed = new AtomicInteger();
    private final Syscalls counting = InterceptedSyscalls.before(
            "eventfd", InterceptedSyscalls.before("close", real, closed::incrementAndGet), opened::incrementAndGet);

    private void borrowAndGiveBack(int count) throws ErrnoException {
        List<WakeUp> borrowed = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            borrowed.add(WakeUp.borrow(counting));
        }
        borrowed.forEach(WakeUp::release);
    }

    @Test
    void manyWaitsAtATimeDoNotCostDescriptorsForEver() throws Exception {
        borrowAndGiveBack(IdlePool.MAX_IDLE + 36);
        assertThat(opened.get() - closed.get()).isEqualTo(IdlePool.MAX_IDLE);
    }

    @Test
    void aFewAreUsedOverAndOver() throws Exception {
        borrowAndGiveBack(IdlePool.MAX_IDLE);
        borrowAndGiveBack(IdlePool.MAX_IDLE);
        assertThat(opened).hasValue(IdlePool.MAX_IDLE);
        assertThat(closed).hasValue(0);
    }

    @Test
    void aLateSignalDoesNotReachWhoeverHasTheNumberNow() throws Exception {
        AtomicInteger signals = new AtomicInteger();
        WakeUp over = open(InterceptedSyscalls.before("eventfdSignal", real, signals::incrementAndGet));
        over.signal();
        over.close();
        over.signal();
        assertThat(signals).hasValue(1);
    }

    @Test
    void aSignalThatIsBeingGivenKeepsTheNumber() throws Exception {
        List<String> calls = new ArrayList<>();
        List<WakeUp> signalled = new ArrayList<>();
        Syscalls closing = InterceptedSyscalls.before(
                "eventfdSignal", InterceptedSyscalls.before("close", real, () -> calls.add("close")), () -> {
                    signalled.get(0).close();
                    calls.add("signal");
                });
        signalled.add(open(closing));
        signalled.get(0).signal();
        assertThat(calls).containsExactly("signal", "close");
    }

    private static WakeUp open(Syscalls syscalls) throws Exception {
        return WakeUp.open(new LinuxKernel(syscalls, Path.of("/sys"), Path.of("/dev")));
    }
}
