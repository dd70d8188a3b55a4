// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code ./rdma4j} says to an ordinary user, with stand-ins for dpkg-query, apt-get and Maven. */
class LauncherTest {
    private OrdinaryUser user;

    @BeforeEach
    void installNothing(@TempDir Path home) throws Exception {
        user = OrdinaryUser.in(home);
        user.replaceProgram("dpkg-query", "exit 1");
        user.replaceProgram("apt-get", "echo 'apt-get was started'; exit 1");
    }

    @ParameterizedTest
    @CsvSource({
        "testbed, qemu-system-x86, rdmacm-utils",
        "demo, rdmacm-utils ibverbs-providers, perftest",
        "bench, perftest gcc librdmacm-dev, ibsim-utils",
        "bench --json, perftest gcc librdmacm-dev, ibsim-utils",
        "bench mlx5, gcc libibverbs-dev ibverbs-providers, qemu-system-x86",
        "bench mlx4, gcc libibverbs-dev ibverbs-providers, qemu-system-x86",
        "bench irdma_gen3, gcc libibverbs-dev ibverbs-providers, qemu-system-x86",
        "bench bnxt_re, gcc libibverbs-dev ibverbs-providers, qemu-system-x86",
        "bench cost, gcc librdmacm-dev ibverbs-providers, qemu-system-x86",
        "soak, gcc libibumad3, ibsim-utils",
        "verify provider, gcc libibverbs-dev ibverbs-providers, qemu-system-x86",
        "test, gcc tshark mmdebstrap, opensm"
    })
    void namesThePackagesThatTheCommandNeedsAndNoOthers(String command, String needed, String other) throws Exception {
        OrdinaryUser.Outcome outcome = user.launch(command.split(" "));

        assertThat(outcome.status()).isEqualTo(3);
        assertThat(outcome.output()).isEmpty();
        String line = outcome.errors().lines().skip(1).findFirst().orElseThrow();
        assertThat(line)
                .startsWith(
                        "  sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends --no-remove ");
        assertThat(List.of(line.strip().split(" ")))
                .contains(needed.split(" "))
                .doesNotContain(other, "opensm", "rdma-core");
    }

    @ParameterizedTest
    @ValueSource(strings = {"testbed", "demo", "bench", "soak", "test"})
    void installsForACommandWithoutRunningIt(String command) throws Exception {
        user.replaceProgram("dpkg-query", "shift 3; for name; do echo \"$name installed\"; done");

        assertThat(user.launch("install", command))
                .isEqualTo(new OrdinaryUser.Outcome(
                        0, "rdma4j: nothing to install: all packages of " + command + " are there\n", ""));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "doctor", "demo bench"})
    void installsForWhatNeedsPackagesOnly(String commands) throws Exception {
        OrdinaryUser.Outcome outcome = user.launch(("install " + commands).split(" ", -1));

        assertThat(outcome.status()).isEqualTo(2);
        assertThat(outcome.errors()).isEqualTo("rdma4j: install takes one of demo, bench, soak, test and testbed\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"test", "install"})
    void helpNeedsNothing(String command) throws Exception {
        user.replaceProgram("mvn", "echo 'mvn was started'; exit 1");

        OrdinaryUser.Outcome outcome = user.launch((command + " --help").split(" "));

        assertThat(outcome.errors()).isEmpty();
        assertThat(outcome.status()).isZero();
        assertThat(outcome.output()).startsWith("usage: ./rdma4j " + command);
    }

    @Test
    void saysThatSomebodyElseHasToBuild() throws Exception {
        user.replaceProgram("dpkg-query", "shift 3; for name; do echo \"$name installed\"; done");
        user.forgetBuild();
        user.mayNotBuild();

        OrdinaryUser.Outcome outcome = user.launch("testbed", "setup");

        assertThat(outcome.status()).isEqualTo(1);
        assertThat(outcome.errors())
                .startsWith("rdma4j: ")
                .contains(" has to be built, and this user may not write there")
                .hasLineCount(1);
    }

    @Test
    void printsItsVersion() throws Exception {
        OrdinaryUser.Outcome outcome = user.launch("--version");

        assertThat(outcome.status()).isZero();
        assertThat(outcome.output()).matches("rdma4j \\d+\\.\\d+\\.\\d+(-SNAPSHOT)?\n");
    }

    @ParameterizedTest
    @CsvSource({"bogus, ''", "dmo, ''", "demon, demo devices", "cmtim, cmatose cmtime"})
    void namesTheCommandThatItDoesNotKnow(String command, String alike) throws Exception {
        OrdinaryUser.Outcome outcome = user.launch(command);

        assertThat(outcome.status()).isEqualTo(2);
        assertThat(outcome.errors()).startsWith("rdma4j: there is no command '" + command + "'");
        assertThat(outcome.errors()).contains(alike.isEmpty() ? "--help" : "; did you mean " + alike + "?");
    }

    @Test
    void saysInTwoLinesThatTheNetworkIsNeeded() throws Exception {
        String missing = "[ERROR] Could not transfer artifact org.example:a:pom:1 from/to central: Unknown host repo";

        String errors = failingBuild(missing, "[ERROR] and so on");

        assertThat(errors.lines().skip(1))
                .containsExactly(
                        "rdma4j: failed: building rxe-testbed/testbed: it needs the network, and a server could not be reached:",
                        "  " + missing);
    }

    @Test
    void showsWhyABuildFails() throws Exception {
        String errors = failingBuild("[ERROR] Main.java:[1,1] cannot find symbol");

        assertThat(errors.lines().skip(1))
                .containsExactly(
                        "[ERROR] Main.java:[1,1] cannot find symbol", "rdma4j: failed: building rxe-testbed/testbed");
    }

    private String failingBuild(String... lines) throws Exception {
        user.replaceProgram("dpkg-query", "shift 3; for name; do echo \"$name installed\"; done");
        String output = "printf '\\033[0m[INFO] Scanning for projects...\\n'\n"
                + Stream.of(lines).map(line -> "echo '" + line + "'\n").collect(Collectors.joining());
        user.replaceProgram("mvn", output + "exit 1");
        user.forgetBuild();

        OrdinaryUser.Outcome outcome = user.launch("testbed", "setup");

        assertThat(outcome.status()).isEqualTo(1);
        assertThat(outcome.errors())
                .startsWith("rdma4j: building rxe-testbed/testbed, which takes a minute or two on an idle machine\n");
        return outcome.errors();
    }
}
