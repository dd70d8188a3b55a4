// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.testbed.host.TestbedException;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a guest's kernel and first file system are made from. */
class GuestImageTest {
    @Test
    void modulesComeWithEverythingTheyNeed(@TempDir Path directory) throws Exception {
        Files.writeString(directory.resolve("modules.dep"), """
                kernel/a/rdma-rxe.ko.xz: kernel/a/ib_core.ko.xz kernel/b/udp.ko
                kernel/a/ib_core.ko.xz:
                kernel/b/udp.ko:
                """);
        Files.writeString(directory.resolve("modules.builtin"), "kernel/c/virtio_pci.ko\n");
        ModuleTree tree = new ModuleTree(directory);

        assertThat(tree.loadable(List.of("virtio_pci", "rdma_rxe"))).containsExactly("rdma_rxe");
        assertThat(tree.closure(List.of("rdma_rxe"))).containsExactly("rdma_rxe", "ib_core", "udp");
        assertThat(tree.file("rdma_rxe")).isEqualTo(directory.resolve("kernel/a/rdma-rxe.ko.xz"));
        assertThat(tree.existing(List.of("crc32_generic", "ib_core"))).containsExactly("ib_core");
        assertThatThrownBy(() -> tree.loadable(List.of("siw")))
                .isInstanceOf(TestbedException.class)
                .hasMessageContaining("siw");
    }

    @Test
    void anArchiveIsWhatCpioWrites() throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (Initramfs.CpioArchive archive = new Initramfs.CpioArchive(out)) {
            archive.file("ab", "xyz".getBytes(StandardCharsets.US_ASCII));
        }

        String zeros = "00000000";
        assertThat(out.toString(StandardCharsets.ISO_8859_1))
                .startsWith(
                        "070701" // magic
                                + "00000001" // ino
                                + "000081ed" // mode 0100755
                                + zeros + zeros // uid, gid
                                + "00000001" // nlink
                                + zeros // mtime
                                + "00000003" // filesize
                                + zeros + zeros + zeros + zeros // devices
                                + "00000003" // namesize
                                + zeros // check
                                + "ab\0" // 113 bytes so far, padded to 116
                                + "\0\0\0" + "xyz" + "\0")
                .contains("TRAILER!!!");
        assertThat(out.size() % 4).isZero();
    }

    @Test
    void theImageIsInBootOrBesideItsModules(@TempDir Path home) throws Exception {
        Path modules = Files.createDirectories(home.resolve("lib/modules/7.2.13+deb14-amd64"));
        assertThatThrownBy(() -> KernelImage.bzImage(home)).isInstanceOf(TestbedException.class);

        Path beside = Files.createFile(modules.resolve("vmlinuz"));
        assertThat(KernelImage.bzImage(home)).isEqualTo(beside);

        Path boot = Files.createFile(Files.createDirectory(home.resolve("boot")).resolve("vmlinuz-7.2.13+deb14-amd64"));
        assertThat(KernelImage.bzImage(home)).isEqualTo(boot);
    }

    @Test
    void refusesAFileThatIsNotAKernel(@TempDir Path directory) throws Exception {
        Path image = Files.write(directory.resolve("vmlinuz"), new byte[4096]);

        assertThatThrownBy(() -> Vmlinux.extract(image, directory.resolve("vmlinux")))
                .isInstanceOf(TestbedException.class)
                .hasMessageContaining("is not an x86 kernel image");
        Path shortImage = Files.write(directory.resolve("short"), new byte[10]);
        assertThatThrownBy(() -> Vmlinux.extract(shortImage, directory.resolve("vmlinux")))
                .isInstanceOf(TestbedException.class);
    }
}
