// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.support.Nightly;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code ./rdma4j} installs on a machine that has nothing, command by command. */
@Nightly
class LauncherPackagesIT {
    /** Loads the modules of /etc/modules; every Debian that boots has it. */
    private static final Set<String> HARMLESS = Set.of("/etc/rcS.d/S01kmod");

    private static FreshRoot root;

    @BeforeAll
    static void installEverything(@TempDir Path directory) throws Exception {
        root = FreshRoot.make(directory);
    }

    @ParameterizedTest
    @ValueSource(strings = {"testbed", "demo", "bench", "soak", "test"})
    void noServiceIsEnabledOrStarted(String command) {
        assertThat(root.packages(command)).as("the step has been taken").contains("qemu-system-x86");
        assertThat(root.newlyEnabled(command)).isSubsetOf(HARMLESS);
        assertThat(root.started(command)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"testbed", "demo", "bench", "soak", "test"})
    void noSubnetManagerAndNoConfigurationOfTheMachinesRdmaComes(String command) {
        assertThat(root.packages(command)).doesNotContain("opensm", "rdma-core", "srptools", "systemd", "udev");
    }

    @Test
    void theTestbedBringsAJdkMavenAndQemu() {
        assertThat(root.packages("testbed")).contains("default-jdk-headless", "maven", "qemu-system-x86");
        assertThat(root.packages("testbed")).doesNotContain("rdmacm-utils", "perftest", "gcc", "tshark");
    }

    @Test
    void theDemoAddsItsPeerOnly() {
        assertThat(added("testbed", "demo"))
                .contains("rdmacm-utils", "ibverbs-providers")
                .doesNotContain("perftest", "infiniband-diags", "ibsim-utils", "gcc", "strace", "tshark");
    }

    @Test
    void theBenchmarksAddTheirPeerAndACompilerOnly() {
        assertThat(added("demo", "bench"))
                .contains("perftest", "gcc", "librdmacm-dev")
                .doesNotContain("ibsim-utils", "strace", "tshark");
    }

    @Test
    void theSoakAddsTheLibraryOfTheSubnetManagerOnly() {
        assertThat(added("bench", "soak")).allMatch(name -> name.startsWith("libibumad"));
    }

    @Test
    void theTestsAddTheRest() {
        assertThat(added("soak", "test")).contains("ibsim-utils", "strace", "tshark", "infiniband-diags", "mmdebstrap");
    }

    private static Set<String> added(String from, String to) {
        Set<String> packages = new TreeSet<>(root.packages(to));
        packages.removeAll(root.packages(from));
        return packages;
    }
}
