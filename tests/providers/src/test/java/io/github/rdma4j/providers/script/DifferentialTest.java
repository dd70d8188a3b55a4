// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.script;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.providers.BuiltOnce;
import io.github.rdma4j.providers.Drivers;
import io.github.rdma4j.providers.mlx5.Mlx5Mode;
import io.github.rdma4j.providers.script.RandomScript.Life;
import io.github.rdma4j.providers.verify.Comparison;
import io.github.rdma4j.providers.verify.Script;
import io.github.rdma4j.support.NewSeed;
import io.github.rdma4j.support.Nightly;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The same random verbs on each provider in Java and on its library in C: each byte for the device and each completion is the same.
 * {@code ./rdma4j verify provider} compares millions.
 */
class DifferentialTest {
    /** For each driver, shared by its modes; {@code ./rdma4j test --all} has 20 of them. */
    private static final int SCRIPTS = Integer.getInteger("rdma4j.scripts", 2);

    /** A seed with which a comparison has failed. */
    private static final long PAGE_FAULT = 77_854;

    @TempDir
    static Path directory;

    private static final BuiltOnce<CLibrary> LIBRARIES = new BuiltOnce<>(CLibrary::build);

    static Stream<Mode> modes() {
        return Drivers.modes().stream().filter(mode -> !mode.hasMovingLibraries());
    }

    static Stream<Mode> modesWithMovingLibraries() {
        return Drivers.modes().stream().filter(Mode::hasMovingLibraries);
    }

    @Nightly
    @ParameterizedTest
    @MethodSource("modesWithMovingLibraries")
    void javaDoesWhatTheNewestLibraryDoes(Mode mode) throws IOException, InterruptedException {
        javaDoesWhatTheLibraryDoes(mode);
    }

    @ParameterizedTest
    @MethodSource("modes")
    void javaDoesWhatTheLibraryDoes(Mode mode) throws IOException, InterruptedException {
        CLibrary c = LIBRARIES.of(mode.driver(), directory);
        long modes = mode.driver().modes().stream()
                .filter(each -> each.hasMovingLibraries() == mode.hasMovingLibraries())
                .count();
        long first = NewSeed.of("DifferentialTest, " + mode.driver().name() + ", mode " + mode.name());
        for (long seed = first; seed < first + (SCRIPTS + modes - 1) / modes; seed++) {
            assertSame(new Script(mode, seed, Script.SHORT_LINES), c);
        }
        // Long enough for short queues to go round a few times.
        assertSame(new Script(mode, first, Life.LONG, SCRIPTS * 1_000), c);
    }

    /** A page fault of a shared receive queue passed for a completion. */
    @ParameterizedTest
    @MethodSource("modesOfMlx5")
    void aPageFaultOfASharedReceiveQueueIsNoCompletion(Mode mode) throws IOException, InterruptedException {
        CLibrary c = LIBRARIES.of(mode.driver(), directory);
        assertSame(new Script(mode, PAGE_FAULT, Script.SHORT_LINES), c);
        assertSame(new Script(mode, PAGE_FAULT, Life.LONG, Script.SHORT_LINES), c);
    }

    static Stream<Mode> modesOfMlx5() {
        return Mlx5Mode.DRIVER.modes().stream();
    }

    private static void assertSame(Script script, CLibrary c) throws IOException, InterruptedException {
        assertThat(Comparison.of(script, c::play).difference()).isEmpty();
    }
}
