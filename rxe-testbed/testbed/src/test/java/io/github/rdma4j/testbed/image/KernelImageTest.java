// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.image;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.testbed.host.Progress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The entries of the cache that belong to one kernel, when the testbed goes on to the next one. */
class KernelImageTest {
    @TempDir
    Path root;

    private KernelPackages packages(String version) {
        AptRoot.PinnedPackage image = new AptRoot.PinnedPackage("linux-image-amd64", version, "01");
        KernelPins pins = KernelPins.parse("6.1", PinsMain.packageLine("6.1", KernelPackages.Group.IMAGE, image));
        return new KernelPackages(
                KernelRelease.BOOKWORM,
                pins,
                (suite, mirror, target) -> {
                    throw new AssertionError("the kernel is in the cache");
                },
                new Workshop(new CacheDirectory(root), Map.of(), Progress.silent()));
    }

    /** Puts a kernel into the cache as if it had been downloaded; its modules have its version for content. */
    private void download(String entry, String version) throws Exception {
        Path home = root.resolve(entry);
        CacheDirectory.deleteTree(home);
        Path modules = Files.createDirectories(home.resolve("lib/modules").resolve(version));
        List<String> names = Stream.of(Initramfs.BASE_MODULES, Initramfs.RXE_MODULES, Initramfs.NODE_MODULES)
                .flatMap(List::stream)
                .toList();
        for (String name : names) {
            Files.writeString(modules.resolve(name + ".ko"), "module of " + version);
        }
        Files.write(
                modules.resolve("modules.dep"),
                names.stream().map(name -> name + ".ko:").toList());
        Files.createFile(modules.resolve("modules.builtin"));
        Files.writeString(home.resolve("vmlinux"), version);
        new CacheSeal(home).write();
    }

    private KernelImage image(KernelPackages packages) throws Exception {
        return KernelImage.of(packages, null, false);
    }

    private static void assertModulesOf(String version, KernelImage image) throws Exception {
        assertThat(image.version()).isEqualTo(version);
        assertThat(Files.readString(image.initramfs(), StandardCharsets.ISO_8859_1))
                .contains("lib/modules/" + version + "/", "module of " + version)
                .doesNotContain("module of " + (version.equals("6.1.0-50-amd64") ? "6.1.0-51" : "6.1.0-50"));
    }

    @Test
    void eachKernelHasAnInitramfsOfItsOwn() throws Exception {
        download("kernel-6.1-6.1.176-1", "6.1.0-50-amd64");
        download("kernel-6.1-6.1.180-1", "6.1.0-51-amd64");

        KernelImage first = image(packages("6.1.176-1"));
        KernelImage second = image(packages("6.1.180-1"));
        KernelImage firstAgain = image(packages("6.1.176-1"));

        assertModulesOf("6.1.0-50-amd64", first);
        assertModulesOf("6.1.0-51-amd64", second);
        assertThat(firstAgain).isEqualTo(first);
    }

    @Test
    void aKernelThatTakesThePlaceOfADamagedOneHasAnInitramfsOfItsOwn() throws Exception {
        download("kernel-6.1-6.1.176-1", "6.1.0-50-amd64");
        assertModulesOf("6.1.0-50-amd64", image(packages("6.1.176-1")));

        download("kernel-6.1-6.1.176-1", "6.1.0-51-amd64");

        assertModulesOf("6.1.0-51-amd64", image(packages("6.1.176-1")));
    }

    @Test
    void eachKernelHasBuiltModulesOfItsOwn() {
        assertThat(BuiltModule.entryName(packages("6.1.176-1"), "6.1.0-50-amd64"))
                .isNotEqualTo(BuiltModule.entryName(packages("6.1.176-2"), "6.1.0-50-amd64"))
                .isNotEqualTo(BuiltModule.entryName(packages("6.1.176-1"), "6.1.0-51-amd64"));
    }
}
