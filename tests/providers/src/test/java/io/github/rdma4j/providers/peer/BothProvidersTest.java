// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.peer;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.providers.BuiltOnce;
import io.github.rdma4j.providers.bnxt.BnxtMode;
import io.github.rdma4j.providers.card.CardThread;
import io.github.rdma4j.providers.card.Timing;
import io.github.rdma4j.providers.erdma.ErdmaMode;
import io.github.rdma4j.providers.irdma.IrdmaMode;
import io.github.rdma4j.providers.kernel.BnxtSettings;
import io.github.rdma4j.providers.kernel.CardSettings;
import io.github.rdma4j.providers.kernel.ErdmaSettings;
import io.github.rdma4j.providers.kernel.IrdmaSettings;
import io.github.rdma4j.providers.kernel.Mlx4Settings;
import io.github.rdma4j.providers.kernel.Mlx5Settings;
import io.github.rdma4j.providers.mlx4.Mlx4Mode;
import io.github.rdma4j.providers.mlx5.Mlx5Mode;
import io.github.rdma4j.providers.script.CProgram;
import io.github.rdma4j.providers.script.Driver;
import io.github.rdma4j.support.NewSeed;
import io.github.rdma4j.support.Nightly;
import io.github.rdma4j.verbs.attr.QueuePairType;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A queue pair of a driver's library, in a process of its own, and a queue pair of the provider in Java on the same software device.
 */
@Timeout(180)
class BothProvidersTest {
    /** Of each kind, in each direction; {@code ./rdma4j test --all} has 20,000 of them. */
    private static final int MESSAGES = Integer.getInteger("rdma4j.messages", 1_000);

    private static final int BATCH = 40;
    private static final int EVENT_EACH = 400;

    @TempDir
    static Path directory;

    private static final BuiltOnce<CProgram> PROGRAMS = new BuiltOnce<>(LibraryEnd::build);

    /** The kinds that both providers and the type of queue pair have. */
    record Case(Driver driver, CardSettings<?> settings, QueuePairType type, boolean shared, Set<Kind> kinds) {
        /** Whether the device takes several pieces of memory for a receive or a read. */
        boolean scatters() {
            return !driver.equals(ErdmaMode.DRIVER);
        }

        @Override
        public String toString() {
            return driver.name() + " " + type + (shared ? " with a shared receive queue" : "") + ", " + settings;
        }
    }

    private static Case mlx5(QueuePairType type, boolean shared, int cqeVersion, Set<Kind> kinds) {
        return new Case(Mlx5Mode.DRIVER, new Mlx5Settings().cqeVersion(cqeVersion), type, shared, kinds);
    }

    private static Case mlx4(QueuePairType type, boolean shared, boolean small, Set<Kind> kinds) {
        Mlx4Settings settings = new Mlx4Settings().entryBytes(small ? 32 : 64);
        return new Case(Mlx4Mode.DRIVER, settings, type, shared, kinds);
    }

    /** The library of Debian 12 does not tell an RDMA write with immediate data from a send over RoCE. */
    private static Case irdmaOverRoce(QueuePairType type, Timing timing) {
        Set<Kind> kinds = type == QueuePairType.UD
                ? EnumSet.range(Kind.SEND, Kind.SEND_WITH_IMMEDIATE)
                : EnumSet.of(Kind.SEND, Kind.SEND_WITH_IMMEDIATE, Kind.WRITE, Kind.READ);
        return new Case(IrdmaMode.DRIVER, new IrdmaSettings().timing(timing), type, false, kinds);
    }

    private static Case irdmaOverIwarp(Timing timing) {
        return new Case(
                IrdmaMode.DRIVER,
                new IrdmaSettings().iwarp().timing(timing),
                QueuePairType.RC,
                false,
                EnumSet.of(Kind.SEND, Kind.WRITE, Kind.WRITE_WITH_IMMEDIATE, Kind.READ));
    }

    private static Case bnxt(QueuePairType type, boolean shared, BnxtSettings settings) {
        Set<Kind> kinds = type == QueuePairType.UD
                ? EnumSet.range(Kind.SEND, Kind.SEND_WITH_IMMEDIATE)
                : shared ? EnumSet.range(Kind.SEND, Kind.WRITE_WITH_IMMEDIATE) : EnumSet.allOf(Kind.class);
        return new Case(BnxtMode.DRIVER, settings, type, shared, kinds);
    }

    private static Case irdmaGeneration3(QueuePairType type, boolean shared, Timing timing) {
        Set<Kind> kinds = type == QueuePairType.UD
                ? EnumSet.range(Kind.SEND, Kind.SEND_WITH_IMMEDIATE)
                : shared ? EnumSet.range(Kind.SEND, Kind.WRITE_WITH_IMMEDIATE) : EnumSet.allOf(Kind.class);
        return new Case(IrdmaMode.DRIVER, new IrdmaSettings().gen3().timing(timing), type, shared, kinds);
    }

    /** Their library changes until a release of Debian has it. */
    static List<Case> casesWithMovingLibraries() {
        return List.of(
                irdmaGeneration3(QueuePairType.RC, false, Timing.prompt()),
                irdmaGeneration3(QueuePairType.RC, true, Timing.prompt()),
                irdmaGeneration3(QueuePairType.UD, false, Timing.prompt()),
                irdmaGeneration3(QueuePairType.UD, true, Timing.prompt()));
    }

    static List<Case> cases() {
        Set<Kind> all = EnumSet.allOf(Kind.class);
        return List.of(
                mlx5(QueuePairType.RC, false, 1, all),
                mlx5(QueuePairType.RC, false, 0, all),
                mlx5(QueuePairType.RC, true, 1, EnumSet.range(Kind.SEND, Kind.WRITE_WITH_IMMEDIATE)),
                mlx5(QueuePairType.RC, true, 0, EnumSet.of(Kind.SEND, Kind.WRITE_WITH_IMMEDIATE)),
                mlx5(QueuePairType.UC, false, 1, EnumSet.range(Kind.SEND, Kind.WRITE_WITH_IMMEDIATE)),
                mlx5(QueuePairType.UD, false, 1, EnumSet.range(Kind.SEND, Kind.SEND_WITH_IMMEDIATE)),
                mlx5(QueuePairType.UD, true, 0, EnumSet.range(Kind.SEND, Kind.SEND_WITH_IMMEDIATE)),
                mlx4(QueuePairType.RC, false, false, all),
                mlx4(QueuePairType.RC, true, true, EnumSet.range(Kind.SEND, Kind.WRITE_WITH_IMMEDIATE)),
                mlx4(QueuePairType.UC, false, false, EnumSet.range(Kind.SEND, Kind.WRITE_WITH_IMMEDIATE)),
                irdmaOverRoce(QueuePairType.RC, Timing.prompt()),
                irdmaOverRoce(QueuePairType.UD, Timing.prompt()),
                irdmaOverIwarp(Timing.prompt()),
                bnxt(QueuePairType.RC, false, new BnxtSettings().p4()),
                bnxt(QueuePairType.RC, true, new BnxtSettings().p5()),
                bnxt(QueuePairType.RC, false, new BnxtSettings()),
                bnxt(QueuePairType.UD, false, new BnxtSettings()),
                new Case(ErdmaMode.DRIVER, new ErdmaSettings(), QueuePairType.RC, false, all),
                new Case(ErdmaMode.DRIVER, new ErdmaSettings().withOneDoorbell(), QueuePairType.RC, false, all));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void exchangeMessagesOfEveryKind(Case which) throws Exception {
        exchangeMessagesOfEveryKind(which, PROGRAMS.of(which.driver(), directory));
    }

    @Nightly
    @ParameterizedTest
    @MethodSource("casesWithMovingLibraries")
    void exchangeMessagesOfEveryKindWithTheNewestLibrary(Case which) throws Exception {
        CProgram program = PROGRAMS.of(which.driver(), directory);
        exchangeMessagesOfEveryKind(which, program.with(IrdmaMode.GEN3.libraries()));
    }

    private static void exchangeMessagesOfEveryKind(Case which, CProgram program) throws Exception {
        try (LibraryEnd c = LibraryEnd.start(program, which.settings())) {
            exchange(c, which, () -> c.kernel().card().settle());
            c.end();
            c.kernel().assertClean();
        }
    }

    private static void exchange(LibraryEnd c, Case which, Runnable settle) throws Exception {
        c.make(which.type(), which.shared(), which.scatters());
        try (JavaEnd java = new JavaEnd(c.kernel(), which.type(), which.shared(), which.scatters())) {
            java.connect(c.place());
            c.connect(java.place());
            for (Kind kind : which.kinds()) {
                assertThat(bad(java, c, kind, settle))
                        .as("%s from Java to C", kind)
                        .isZero();
                assertThat(bad(c, java, kind, settle))
                        .as("%s from C to Java", kind)
                        .isZero();
            }
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

    static List<Case> hostileCases() {
        Timing timing = Timing.hostile(NewSeed.of("BothProvidersTest"));
        Set<Kind> all = EnumSet.allOf(Kind.class);
        return List.of(
                new Case(Mlx5Mode.DRIVER, new Mlx5Settings().timing(timing), QueuePairType.RC, false, all),
                new Case(Mlx4Mode.DRIVER, new Mlx4Settings().timing(timing), QueuePairType.RC, false, all),
                irdmaOverRoce(QueuePairType.RC, timing),
                irdmaOverIwarp(timing),
                bnxt(QueuePairType.RC, false, new BnxtSettings().timing(timing)),
                new Case(ErdmaMode.DRIVER, new ErdmaSettings().timing(timing), QueuePairType.RC, false, all));
    }

    /** The device runs beside both processes, at a pace that a seed makes up. */
    @ParameterizedTest
    @MethodSource("hostileCases")
    void exchangeMessagesWhileTheDeviceRuns(Case which) throws Exception {
        CProgram program = PROGRAMS.of(which.driver(), directory);
        try (LibraryEnd c = LibraryEnd.start(program, which.settings())) {
            CardThread device = CardThread.start(c.kernel().card());
            exchange(c, which, () -> {});
            c.end();
            device.close();
            c.kernel().assertClean();
        }
    }

    static List<Case> oneCaseEach() {
        return List.of(
                new Case(Mlx5Mode.DRIVER, new Mlx5Settings(), QueuePairType.RC, false, Set.of()),
                new Case(Mlx4Mode.DRIVER, new Mlx4Settings(), QueuePairType.RC, false, Set.of()),
                new Case(IrdmaMode.DRIVER, new IrdmaSettings(), QueuePairType.RC, false, Set.of()),
                new Case(BnxtMode.DRIVER, new BnxtSettings(), QueuePairType.RC, false, Set.of()),
                new Case(ErdmaMode.DRIVER, new ErdmaSettings(), QueuePairType.RC, false, Set.of()));
    }

    /** What the kernel does when a process dies: the queue pair goes, and the peer's messages fail. */
    @ParameterizedTest
    @MethodSource("oneCaseEach")
    void theKernelClearsUpAfterAProcessThatIsKilled(Case which) throws Exception {
        CProgram program = PROGRAMS.of(which.driver(), directory);
        try (LibraryEnd c = LibraryEnd.start(program, which.settings())) {
            c.make(which.type(), false, which.scatters());
            c.kill();
            c.kernel().assertClean();
        }
    }
}
