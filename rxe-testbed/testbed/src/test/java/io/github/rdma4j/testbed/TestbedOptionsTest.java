// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.testbed.image.KernelRelease;
import io.github.rdma4j.testbed.machine.Devices;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TestbedOptionsTest {
    private static TestbedOptions parse(String line) throws Exception {
        return TestbedOptions.parse(List.of(line.split(" ")));
    }

    @Test
    void everyOptionIsUnderstood() throws Exception {
        TestbedOptions options =
                parse("run --kernel 6.12 --on host --memory 1024 --cpus 1 --timeout 9 --share /tmp/../tmp "
                        + "--no-rxe --kernel-argument debug --times -- ls -l");

        assertThat(options.kernel).isEqualTo(KernelRelease.BOOKWORM_SECURITY);
        assertThat(options.on).isEqualTo(Backend.HOST);
        assertThat(options.memoryMib).isEqualTo(1024);
        assertThat(options.cpus).isEqualTo(1);
        assertThat(options.timeout).isEqualTo(9);
        assertThat(options.shares).containsExactly(Path.of("/tmp"));
        assertThat(options.devices).isEqualTo(Devices.NONE);
        assertThat(options.kernelArguments).containsExactly("debug");
        assertThat(options.times).isTrue();
        assertThat(options.commandLength).isEqualTo(2);
    }

    @Test
    void aProcessorHasKernelsOfItsOwn() throws Exception {
        assertThat(parse("run --arch arm64 true").kernel).isEqualTo(KernelRelease.BOOKWORM_ARM64);
        assertThat(parse("run --kernel 6.12 --arch arm64 true").kernel).isEqualTo(KernelRelease.TRIXIE_ARM64);
        assertThat(parse("run --arch arm64-16k true").kernel).isEqualTo(KernelRelease.TRIXIE_ARM64_16K);
        assertThat(parse("run --arch amd64 true").kernel).isEqualTo(KernelRelease.DEFAULT);
        assertThat(parse("run --arch arm64 true").backend()).isEqualTo(Backend.VM);
        assertThatThrownBy(() -> parse("run --arch riscv64 true"))
                .hasMessageContaining("no processor riscv64")
                .hasMessageContaining("amd64, arm64, arm64-16k");
        assertThatThrownBy(() -> parse("run --arch arm64-16k --kernel 6.1 true"))
                .hasMessageContaining("no kernel 6.1-arm64-16k")
                .hasMessageContaining("6.12-arm64-16k");
        assertThatThrownBy(() -> parse("run --arch arm64 --on uml true").backend())
                .hasMessageContaining("--kernel 6.1-arm64 cannot be combined with --on uml");
    }

    @Test
    void nodesAndTheirCaptureAreUnderstood() throws Exception {
        TestbedOptions options = parse("run --nodes 2 --pcap /tmp/x/../wire.pcap true");

        assertThat(options.nodes).isEqualTo(2);
        assertThat(options.capture).isEqualTo(Path.of("/tmp/wire.pcap"));
        assertThat(parse("run true").nodes).isEqualTo(1);
        assertThat(parse("run true").capture).isNull();
    }

    @Test
    void theDeviceIsNamed() throws Exception {
        assertThat(parse("run true").devices).isEqualTo(Devices.RXE);
        assertThat(parse("run --device rxe true").devices).isEqualTo(Devices.RXE);
        assertThat(parse("run --device siw true").devices).isEqualTo(Devices.SIW);
        assertThat(parse("run --device pvrdma true").devices).isEqualTo(Devices.PVRDMA);
        assertThat(parse("setup --device siw --device pvrdma").toSetUp).containsExactly(Devices.SIW, Devices.PVRDMA);
    }

    @Test
    void infiniBandHasSwitchesAndOnePortOrTwo() throws Exception {
        TestbedOptions options = parse("run --device ib --nodes 3 --switches 2 true");
        assertThat(options.devices).isEqualTo(Devices.IB);
        assertThat(options.switches).isEqualTo(2);
        assertThat(options.manager).isEqualTo(1);
        assertThat(options.ports).isEqualTo(1);
        assertThat(parse("run --device ib --ports 2 true").ports).isEqualTo(2);
    }

    @Test
    void theSubnetManagerIsOnANodeOrNowhere() throws Exception {
        assertThat(parse("run --device ib --nodes 2 --subnet-manager 2").manager)
                .isEqualTo(2);
        assertThat(parse("run --device ib --subnet-manager none").manager).isZero();
        assertThat(parse("serve --device ib --link /tmp --subnet-manager 2").manager)
                .isEqualTo(2);
    }

    @Test
    void optionsEndWhereTheCommandStarts() throws Exception {
        assertThat(parse("run ls --kernel").commandLength).isEqualTo(2);
        assertThat(parse("run -- --kernel").commandLength).isEqualTo(1);
        assertThat(parse("run").commandLength).isZero();
        assertThat(parse("run ls --help").help).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--cpus 0",
                "--memory x",
                "--on moon",
                "--device moon",
                "--device",
                "--share /no/such",
                "--unknown",
                "--timeout",
                "--nodes 0",
                "--nodes 9",
                "--nodes 2 --on host",
                "--nodes 2 --no-rxe",
                "--nodes 2 --device pvrdma",
                "--pcap /tmp/wire.pcap",
                "--nodes 2 --switches 2",
                "--device ib --switches 2",
                "--ports 2",
                "--device ib --ports 3",
                "--device ib --ports 2 --link /tmp",
                "--device ib --subnet-manager 2",
                "--device ib --subnet-manager 0",
                "--device ib --subnet-manager",
                "--subnet-manager none"
            })
    void nonsenseIsRefused(String text) {
        assertThatThrownBy(() -> parse("run " + text)).isInstanceOf(TestbedOptions.UsageException.class);
    }

    @Test
    void usageErrorsHaveAStatusOfTheirOwn() {
        assertThat(TestbedMain.run(List.of())).isEqualTo(2);
        assertThat(TestbedMain.run(List.of("run"))).isEqualTo(2);
        assertThat(TestbedMain.run(List.of("walk"))).isEqualTo(2);
        assertThat(TestbedMain.run(List.of("run", "--kernel", "1.0", "true"))).isEqualTo(125);
        assertThat(TestbedMain.run(List.of("run", "--opensm", "true"))).isEqualTo(2);
        assertThat(TestbedMain.run(List.of("run", "--user-mode", "true"))).isEqualTo(2);
        assertThat(TestbedMain.run(List.of("setup", "--user-mode"))).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--help", "run --help", "run -h", "setup --help", "run --cpus 1 --help"})
    void helpIsGivenWhereverItIsAskedFor(String text) {
        assertThat(TestbedMain.run(List.of(text.split(" ", -1)))).isZero();
    }

    @Test
    void eachSubcommandHasAPageOfItsOwn() {
        assertThat(TestbedMain.page(TestbedMain.OVERVIEW)).contains("testbed run [OPTION]", "setup   downloads");
        assertThat(TestbedMain.page("run"))
                .contains("--timeout", "--kernel", "124")
                .doesNotContain("--opensm", "pins");
        assertThat(TestbedMain.page("setup"))
                .contains("--opensm", "--rdma-core", "--newer-rdma-core", "--kernel")
                .doesNotContain("--timeout", "--link");
        assertThat(TestbedMain.page("serve")).contains("--link", "--share").doesNotContain("--timeout", "--docker");
    }

    @Test
    void whatOnlyQemuHasRunsThere() throws Exception {
        for (String only :
                List.of("--kernel 6.1", "--kernel 7.2", "--cpus 2", "--device pvrdma", "--kernel-argument quiet")) {
            assertThat(parse("run " + only).backend()).as(only).isEqualTo(Backend.VM);
        }
    }

    @Test
    void whatTheCallerNamesIsTakenUnlessItCannotBe() throws Exception {
        assertThat(parse("run --on uml --cpus 1 --device siw --kernel 7.2").backend())
                .isEqualTo(Backend.UML);
        assertThat(parse("run --on vm").backend()).isEqualTo(Backend.VM);
        assertThatThrownBy(() -> parse("run --on uml --cpus 2").backend())
                .hasMessage("--cpus 2 cannot be combined with --on uml: only QEMU has it");
        assertThatThrownBy(() -> parse("run --on uml --kernel 6.12").backend())
                .hasMessage("--kernel 6.12 cannot be combined with --on uml: only QEMU has it");
    }

    @ParameterizedTest
    @CsvSource({
        "--kernel 6.12, --kernel 6.12",
        "--kernel 7.2, --kernel 7.2",
        "--cpus 2, --cpus 2",
        "--kernel-argument quiet, --kernel-argument"
    })
    void whatOverrulesTheConfigurationIsSaid(String options, String named) throws Exception {
        assertThat(parse("run " + options).overruled(Optional.of(Backend.UML)))
                .contains(named + " needs a guest in QEMU, so RDMA4J_TESTBED=uml is overruled");
    }

    @Test
    void nothingIsSaidWhereNothingIsOverruled() throws Exception {
        TestbedOptions qemu = parse("run --kernel 6.12");
        assertThat(qemu.overruled(Optional.empty())).isEmpty();
        assertThat(qemu.overruled(Optional.of(Backend.VM))).isEmpty();
        assertThat(qemu.overruled(Optional.of(Backend.HOST))).isEmpty();
        assertThat(parse("run").overruled(Optional.of(Backend.UML))).isEmpty();
        assertThat(parse("run --on vm --cpus 2").overruled(Optional.of(Backend.UML)))
                .as("the caller has said so")
                .isEmpty();
    }
}
