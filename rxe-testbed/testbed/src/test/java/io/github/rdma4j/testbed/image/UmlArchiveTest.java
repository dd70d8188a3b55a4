// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.testbed.host.Progress;
import io.github.rdma4j.testbed.host.TestbedException;
import io.github.rdma4j.testbed.host.Tool;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The archive of the kernel, made of files that stand in for one that was built. */
class UmlArchiveTest {
    private static final String CONTACT = "The testers, tests@example.org";

    @TempDir
    private Path directory;

    private CacheDirectory cache;

    @BeforeEach
    void putSomethingIntoTheCache() throws Exception {
        cache = builtOn("built", 0);
    }

    private CacheDirectory builtOn(String name, long seconds) throws Exception {
        CacheDirectory built = new CacheDirectory(directory.resolve(name));
        built.entry(UmlKernel.entry(), entry -> {
            for (String file : List.of("linux", "ORIGIN", "kernel.config", "rdma4j_port.c", "lib/modules/7.2/rxe.ko")) {
                Path path = entry.resolve(file);
                Files.createDirectories(path.resolveSibling(""));
                Files.writeString(path, "content of " + file + "\n");
                Files.setLastModifiedTime(path, FileTime.fromMillis(1_000_000_000_000L + seconds * 1000));
            }
            new CacheSeal(entry).write();
        });
        return built;
    }

    private Path write(CacheDirectory from, String to) throws Exception {
        return UmlArchive.write(from, directory.resolve(to), CONTACT, Progress.silent());
    }

    private CacheDirectory empty() {
        return new CacheDirectory(directory.resolve("other"));
    }

    private void assertRefused(Path archive, String reason) throws IOException {
        assertThatThrownBy(() -> UmlArchive.read(archive, empty(), Progress.silent()))
                .isInstanceOf(TestbedException.class)
                .hasMessageContainingAll(archive + " " + reason, "nothing of it was used", "setup --on uml");
        assertThat(empty().root().resolve(UmlKernel.entry())).doesNotExist();
    }

    @Test
    void whatIsTakenIsWhatWasBuilt() throws Exception {
        Path archive = write(cache, "out");

        UmlArchive.read(archive, empty(), Progress.silent());

        Path entry = empty().root().resolve(UmlKernel.entry());
        assertThat(entry.resolve("linux")).hasContent("content of linux\n").isExecutable();
        assertThat(entry.resolve("lib/modules/7.2/rxe.ko")).hasContent("content of lib/modules/7.2/rxe.ko\n");
        assertThat(new CacheSeal(entry).thoroughDamage()).isEmpty();
        assertThat(Files.readString(entry.resolve("SOURCE")))
                .contains(CONTACT, "linux-source-7.2", UmlKernel.source().sha256());
        // And so it can be passed on again.
        assertThat(UmlArchive.write(empty(), directory.resolve("again"), CONTACT, Progress.silent()))
                .hasSameBinaryContentAs(archive);
    }

    @Test
    void theArchiveIsTheSameWhereverItIsMade() throws Exception {
        Path archive = write(cache, "out");

        assertThat(archive).hasFileName(UmlArchive.name());
        assertThat(write(builtOn("built elsewhere", 5), "elsewhere")).hasSameBinaryContentAs(archive);
        assertThat(write(cache, "out")).hasSameBinaryContentAs(archive);
        try (var files = Files.list(archive.resolveSibling(""))) {
            assertThat(files).hasSize(2);
        }
    }

    @Test
    void theChecksumsAreThoseOfTheOrdinaryTool() throws Exception {
        Path archive = write(cache, "out");
        Path files = directory.resolve("files");
        try (FileSystem zip = FileSystems.newFileSystem(archive)) {
            try (var tree = Files.walk(zip.getPath(UmlKernel.entry()))) {
                for (Path file : tree.filter(Files::isRegularFile).toList()) {
                    Path copy = files.resolve(file.toString());
                    Files.createDirectories(copy.resolveSibling(""));
                    Files.copy(file, copy);
                }
            }
        }

        String script = "cd \"$1\" && sha256sum --strict --check " + UmlArchive.name() + ".sha256 && cd \"$2\""
                + " && sha256sum --strict --check SHA256SUMS";
        Path entry = files.resolve(UmlKernel.entry());
        assertThat(Tool.run("sh", "-c", script, "sh", directory.resolve("out").toString(), entry.toString()))
                .contains("linux: OK", "COPYING: OK", "SOURCE: OK", "lib/modules/7.2/rxe.ko: OK");
        assertThat(entry.resolve("COPYING")).content().contains("GNU GENERAL PUBLIC LICENSE");
    }

    @Test
    void aKernelThatIsThereStays() throws Exception {
        Path archive = write(cache, "out");
        Path kernel = cache.root().resolve(UmlKernel.entry()).resolve("linux");
        FileTime time = Files.getLastModifiedTime(kernel);

        UmlArchive.read(archive, cache, Progress.silent());
        assertThat(Files.getLastModifiedTime(kernel)).isEqualTo(time);

        Files.writeString(kernel, "damaged");
        assertThatThrownBy(() -> write(cache, "out"))
                .hasMessageContainingAll("is damaged (linux has 7 bytes", "Build it again");
        UmlArchive.read(archive, cache, Progress.silent());
        assertThat(kernel).hasContent("content of linux\n");
    }

    @Test
    void anArchiveThatChangedIsRefused() throws Exception {
        Path archive = write(cache, "out");
        byte[] bytes = Files.readAllBytes(archive);
        bytes[bytes.length / 3] ^= 1;
        Files.write(archive, bytes);
        assertRefused(archive, "has another checksum than " + archive + ".sha256 says");

        Files.delete(Path.of(archive + ".sha256"));
        assertRefused(archive, "is damaged (");
        Files.write(archive, java.util.Arrays.copyOf(bytes, bytes.length / 4));
        assertRefused(archive, "is damaged (");
        Files.writeString(archive, "<html>not found</html>");
        assertRefused(archive, "is damaged (");
    }

    private Path archive(String name, String content) throws IOException {
        Path archive = directory.resolve("made.zip");
        try (OutputStream out = Files.newOutputStream(archive);
                ZipOutputStream zip = new ZipOutputStream(out)) {
            zip.putNextEntry(new ZipEntry(name));
            zip.write(content.getBytes(java.nio.charset.StandardCharsets.UTF_8));
            zip.closeEntry();
        }
        return archive;
    }

    @ParameterizedTest
    @ValueSource(strings = {"../evil", "/etc/evil", "lib/../../evil", ".seal", "a//b", "new\nline"})
    void noNameLeadsOutOfTheCache(String name) throws Exception {
        assertRefused(archive(UmlKernel.entry() + "/" + name, "evil"), "has a file that is not part of the kernel: ");
    }

    @Test
    void anArchiveOfAnotherKernelOrOfNoneIsRefused() throws Exception {
        assertRefused(
                archive("uml-7.1-0/linux", "linux"), "has uml-7.1-0 and this testbed needs " + UmlKernel.entry() + "/");
        assertRefused(archive(UmlKernel.entry() + "/linux", "linux"), "is damaged (");
        assertRefused(
                archive(UmlKernel.entry() + "/SHA256SUMS", "0".repeat(64) + "  linux\n"),
                "is damaged (linux is not what was put there)");
        assertThatThrownBy(() -> UmlArchive.read(directory.resolve("none"), empty(), Progress.silent()))
                .hasMessageStartingWith("cannot read " + directory.resolve("none"));
    }

    @Test
    void aKernelThatWasNotBuiltCannotBePassedOn() {
        assertThatThrownBy(() -> UmlArchive.write(empty(), directory, CONTACT, Progress.silent()))
                .hasMessageContainingAll("is not in the cache " + empty().root(), "testbed setup --on uml");
    }
}
