// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.mlx5.peer;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.lab.mlx5.card.CardThread;
import io.github.rdma4j.lab.mlx5.card.Timing;
import io.github.rdma4j.lab.mlx5.kernel.Mlx5Settings;
import io.github.rdma4j.lab.mlx5.vectors.CProgram;
import io.github.rdma4j.support.NewSeed;
import io.github.rdma4j.verbs.attr.QueuePairType;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A queue pair of libmlx5, in a process of its own, and a queue pair of the provider in Java on the same software device. */
@Timeout(180)
class BothProvidersTest {
    /** Of each kind, in each direction. */
    private static final int MESSAGES = 20_000;

    private static final int BATCH = 40;
    private static final int EVENT_EACH = 400;

    @TempDir
    Path directory;

    /** The kinds that both providers and the type of queue pair have. */
    record Case(QueuePairType type, boolean shared, int cqeVersion, Set<Kind> kinds) {
        @Override
        public String toString() {
            return type + (shared ? " with a shared receive queue" : "") + ", completions of version " + cqeVersion;
        }
    }

    static List<Case> cases() {
        return List.of(
                new Case(QueuePairType.RC, false, 1, EnumSet.allOf(Kind.class)),
                new Case(QueuePairType.RC, false, 0, EnumSet.allOf(Kind.class)),
                new Case(QueuePairType.RC, true, 1, EnumSet.range(Kind.SEND, Kind.WRITE_WITH_IMMEDIATE)),
                new Case(QueuePairType.RC, true, 0, EnumSet.of(Kind.SEND, Kind.WRITE_WITH_IMMEDIATE)),
                new Case(QueuePairType.UC, false, 1, EnumSet.range(Kind.SEND, Kind.WRITE_WITH_IMMEDIATE)),
                new Case(QueuePairType.UD, false, 1, EnumSet.range(Kind.SEND, Kind.SEND_WITH_IMMEDIATE)),
                new Case(QueuePairType.UD, true, 0, EnumSet.range(Kind.SEND, Kind.SEND_WITH_IMMEDIATE)));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void exchangeMessagesOfEveryKind(Case which) throws Exception {
        CProgram program = LibMlx5End.build(directory);
        Mlx5Settings settings = new Mlx5Settings().cqeVersion(which.cqeVersion());
        try (LibMlx5End c = LibMlx5End.start(program, settings)) {
            c.make(which.type(), which.shared());
            try (JavaEnd java = new JavaEnd(c.kernel(), which.type(), which.shared())) {
                java.connect(c.place());
                c.connect(java.place());
                for (Kind kind : which.kinds()) {
                    assertThat(bad(java, c, kind, () -> c.kernel().card().settle()))
                            .as("%s from Java to libmlx5", kind)
                            .isZero();
                    assertThat(bad(c, java, kind, () -> c.kernel().card().settle()))
                            .as("%s from libmlx5 to Java", kind)
                            .isZero();
                }
            }
            c.end();
            c.kernel().assertClean();
        }
    }

    /** Returns how many messages went wrong. */
    private static int bad(End from, End to, Kind kind, Runnable settle) throws Exception {
        int bad = 0;
        for (int first = 0; first < MESSAGES; first += BATCH) {
            End.Batch batch = new End.Batch(kind, first, BATCH);
            boolean event = kind.takesReceive() && first % EVENT_EACH == 0;
            if (kind.takesReceive()) {
                to.receive(batch);
            }
            if (event) {
                to.arm();
            }
            to.fill(batch);
            from.send(batch);
            settle.run();
            bad += from.sent(batch);
            if (event) {
                to.takeEvent();
            }
            if (kind.takesReceive()) {
                bad += to.received(batch);
            }
            bad += to.verify(batch);
        }
        return bad;
    }

    /** The device runs beside both processes, at a pace that a seed makes up. */
    @Test
    void exchangeMessagesWhileTheDeviceRuns() throws Exception {
        CProgram program = LibMlx5End.build(directory);
        Timing timing = Timing.hostile(NewSeed.of("BothProvidersTest"));
        try (LibMlx5End c = LibMlx5End.start(program, new Mlx5Settings().timing(timing))) {
            CardThread device = CardThread.start(c.kernel().card());
            c.make(QueuePairType.RC, false);
            try (JavaEnd java = new JavaEnd(c.kernel(), QueuePairType.RC, false)) {
                java.connect(c.place());
                c.connect(java.place());
                for (Kind kind : Kind.values()) {
                    assertThat(bad(java, c, kind, () -> {}))
                            .as("%s from Java to libmlx5", kind)
                            .isZero();
                    assertThat(bad(c, java, kind, () -> {}))
                            .as("%s from libmlx5 to Java", kind)
                            .isZero();
                }
            }
            c.end();
            device.close();
            c.kernel().assertClean();
        }
    }

    /** What the kernel does when a process dies: the queue pair goes, and the peer's messages fail. */
    @Test
    void theKernelClearsUpAfterAProcessThatIsKilled() throws Exception {
        CProgram program = LibMlx5End.build(directory);
        try (LibMlx5End c = LibMlx5End.start(program, new Mlx5Settings())) {
            c.make(QueuePairType.RC, false);
            c.kill();
            c.kernel().assertClean();
        }
    }
}
