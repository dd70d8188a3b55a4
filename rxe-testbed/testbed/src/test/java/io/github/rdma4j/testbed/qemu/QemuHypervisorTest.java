// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.qemu;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.testbed.image.Architecture;
import io.github.rdma4j.testbed.image.KernelImage;
import io.github.rdma4j.testbed.machine.Devices;
import io.github.rdma4j.testbed.machine.MachineSpec;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What QEMU is told for each processor. */
class QemuHypervisorTest {
    private static List<String> words(KernelImage image, Devices devices, List<String> kernelArguments) {
        MachineSpec machine = new MachineSpec(512, 2, devices, Devices.Files.NONE, List.of(), kernelArguments, false);
        return new QemuHypervisor(image, QemuHypervisor.Accelerator.TCG, "").boot(machine, Path.of("/run"), null);
    }

    private static String line(KernelImage image) {
        return String.join(" ", words(image, Devices.RXE, List.of()));
    }

    private static String append(Devices devices, String... kernelArguments) {
        List<String> words = words(image(Architecture.ARM64), devices, List.of(kernelArguments));
        return words.get(words.indexOf("-append") + 1);
    }

    private static KernelImage image(Architecture architecture) {
        Path programs = architecture.isOfThisMachine() ? null : Path.of("/cache/programs");
        return new KernelImage(
                Path.of("/vmlinux"), Path.of("/initramfs"), Path.of("/modules/6.1"), architecture, programs);
    }

    @Test
    void aGuestOfThisMachinesProcessorHasThisMachinesProgramsOnly() {
        assertThat(line(image(Architecture.AMD64)))
                .contains("qemu-system-x86_64 -M pc,usb=off", "console=ttyS0", "mount_tag=host")
                .doesNotContain("mount_tag=programs", "rdma4j.programs");
    }

    @Test
    void aGuestOfAnotherProcessorHasProgramsOfItsOwnBesideTheFiles() {
        assertThat(line(image(Architecture.ARM64)))
                .contains(
                        "qemu-system-aarch64 -M virt",
                        "-cpu neoverse-n1",
                        "console=ttyAMA0 rdma4j.programs",
                        "mount_tag=host",
                        "path=/cache/programs,",
                        "mount_tag=programs")
                .doesNotContain("tsc", "ttyS0");
        assertThat(line(image(Architecture.ARM64_16K))).contains("-cpu max,pauth-impdef=on");
    }

    @Test
    void theKernelsCommandLineEndsWithTheWordsOfTheMachine() {
        assertThat(append(Devices.RXE)).endsWith(" cryptomgr.notests");
        assertThat(append(Devices.NONE, "one", "two")).endsWith(" cryptomgr.notests rdma4j.devices=none one two");
    }
}
