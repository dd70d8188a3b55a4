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

    /** The library of Debian 12 does not tell an RDMA write with immediate data from a send over RoCE. */
    private static final Set<Kind> NOT_OF_ROCE =
            EnumSet.of(Kind.WRITE_WITH_IMMEDIATE, Kind.FETCH_AND_ADD, Kind.COMPARE_AND_SWAP);

    private static final Set<Kind> NOT_OF_IWARP =
            EnumSet.of(Kind.SEND_WITH_IMMEDIATE, Kind.FETCH_AND_ADD, Kind.COMPARE_AND_SWAP);

    /** A type of queue pair on a device; {@code lacks} are kinds of messages that one of both providers does not have. */
    record Case(Driver driver, CardSettings<?> settings, QueuePairType type, boolean shared, Set<Kind> lacks) {
        /** Receives of a queue pair's own. */
        Case(Driver driver, CardSettings<?> settings, QueuePairType type) {
            this(driver, settings, type, false, Set.of());
        }

        Set<Kind> kinds() {
            Kind last = type == QueuePairType.UD
                    ? Kind.SEND_WITH_IMMEDIATE
                    : type == QueuePairType.UC || shared ? Kind.WRITE_WITH_IMMEDIATE : Kind.COMPARE_AND_SWAP;
            Set<Kind> kinds = EnumSet.range(Kind.SEND, last);
            kinds.removeAll(lacks);
            return kinds;
        }

        Case withSharedReceives() {
            return new Case(driver, settings, type, true, lacks);
        }

        Case without(Set<Kind> kinds) {
            return new Case(driver, settings, type, shared, kinds);
        }

        /** Whether the device takes several pieces of memory for a receive or a read. */
        boolean scatters() {
            return !driver.equals(ErdmaMode.DRIVER);
        }

        @Override
        public String toString() {
            return driver.name() + " " + type + (shared ? " with a shared receive queue" : "") + ", " + settings;
        }
    }

    /** Their library changes until a release of Debian has it. */
    static List<Case> casesWithMovingLibraries() {
        Case connected = new Case(IrdmaMode.DRIVER, new IrdmaSettings().gen3(), QueuePairType.RC);
        Case datagrams = new Case(IrdmaMode.DRIVER, new IrdmaSettings().gen3(), QueuePairType.UD);
        return List.of(connected, connected.withSharedReceives(), datagrams, datagrams.withSharedReceives());
    }

    static List<Case> cases() {
        Mlx5Settings withoutIndexes = new Mlx5Settings().cqeVersion(0);
        return List.of(
                new Case(Mlx5Mode.DRIVER, new Mlx5Settings(), QueuePairType.RC),
                new Case(Mlx5Mode.DRIVER, withoutIndexes, QueuePairType.RC),
                new Case(Mlx5Mode.DRIVER, new Mlx5Settings(), QueuePairType.RC).withSharedReceives(),
                new Case(Mlx5Mode.DRIVER, withoutIndexes, QueuePairType.RC).withSharedReceives(),
                new Case(Mlx5Mode.DRIVER, new Mlx5Settings(), QueuePairType.UC),
                new Case(Mlx5Mode.DRIVER, new Mlx5Settings(), QueuePairType.UD),
                new Case(Mlx5Mode.DRIVER, withoutIndexes, QueuePairType.UD).withSharedReceives(),
                new Case(Mlx4Mode.DRIVER, new Mlx4Settings(), QueuePairType.RC),
                new Case(Mlx4Mode.DRIVER, new Mlx4Settings().entryBytes(32), QueuePairType.RC).withSharedReceives(),
                new Case(Mlx4Mode.DRIVER, new Mlx4Settings(), QueuePairType.UC),
                new Case(IrdmaMode.DRIVER, new IrdmaSettings(), QueuePairType.RC).without(NOT_OF_ROCE),
                new Case(IrdmaMode.DRIVER, new IrdmaSettings(), QueuePairType.UD),
                new Case(IrdmaMode.DRIVER, new IrdmaSettings().iwarp(), QueuePairType.RC).without(NOT_OF_IWARP),
                new Case(BnxtMode.DRIVER, new BnxtSettings().p4(), QueuePairType.RC),
                new Case(BnxtMode.DRIVER, new BnxtSettings().p5(), QueuePairType.RC).withSharedReceives(),
                new Case(BnxtMode.DRIVER, new BnxtSettings(), QueuePairType.RC),
                new Case(BnxtMode.DRIVER, new BnxtSettings(), QueuePairType.UD),
                new Case(ErdmaMode.DRIVER, new ErdmaSettings(), QueuePairType.RC),
                new Case(ErdmaMode.DRIVER, new ErdmaSettings().withOneDoorbell(), QueuePairType.RC));
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
        IrdmaSettings iwarp = new IrdmaSettings().iwarp().timing(timing);
        return List.of(
                new Case(Mlx5Mode.DRIVER, new Mlx5Settings().timing(timing), QueuePairType.RC),
                new Case(Mlx4Mode.DRIVER, new Mlx4Settings().timing(timing), QueuePairType.RC),
                new Case(IrdmaMode.DRIVER, new IrdmaSettings().timing(timing), QueuePairType.RC).without(NOT_OF_ROCE),
                new Case(IrdmaMode.DRIVER, iwarp, QueuePairType.RC).without(NOT_OF_IWARP),
                new Case(BnxtMode.DRIVER, new BnxtSettings().timing(timing), QueuePairType.RC),
                new Case(ErdmaMode.DRIVER, new ErdmaSettings().timing(timing), QueuePairType.RC));
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
                new Case(Mlx5Mode.DRIVER, new Mlx5Settings(), QueuePairType.RC),
                new Case(Mlx4Mode.DRIVER, new Mlx4Settings(), QueuePairType.RC),
                new Case(IrdmaMode.DRIVER, new IrdmaSettings(), QueuePairType.RC),
                new Case(BnxtMode.DRIVER, new BnxtSettings(), QueuePairType.RC),
                new Case(ErdmaMode.DRIVER, new ErdmaSettings(), QueuePairType.RC));
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
