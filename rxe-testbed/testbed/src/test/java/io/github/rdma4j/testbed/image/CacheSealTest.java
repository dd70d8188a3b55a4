// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.image;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.testbed.host.Progress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CacheSealTest {
    private static final FileTime MADE = FileTime.from(Instant.parse("2026-01-02T03:04:05Z"));

    @TempDir
    Path entry;

    private Path kernel;
    private Path module;
    private CacheSeal seal;

    @BeforeEach
    void sealAnEntry() throws Exception {
        kernel = write("vmlinux", "kernel");
        module = write(Files.createDirectories(entry.resolve("lib/a b")).resolve("m.ko"), "module");
        seal = new CacheSeal(entry);
        seal.write();
    }

    private Path write(String name, String content) throws Exception {
        return write(entry.resolve(name), content);
    }

    private static Path write(Path file, String content) throws Exception {
        Files.writeString(file, content);
        return Files.setLastModifiedTime(file, MADE);
    }

    @Test
    void anUnchangedEntryIsValid() throws Exception {
        assertThat(seal.quickDamage("vmlinux")).isEmpty();
        assertThat(seal.thoroughDamage()).isEmpty();
    }

    @Test
    void reportsTheNameOfATruncatedFile() throws Exception {
        Files.writeString(kernel, "ker");

        assertThat(seal.quickDamage("vmlinux")).contains("vmlinux has 3 bytes, not 6");
    }

    @Test
    void flippedBytesAreNamed() throws Exception {
        Files.writeString(kernel, "kernal");

        assertThat(seal.quickDamage("vmlinux")).contains("vmlinux is not what was put there");
    }

    @Test
    void readingFindsDamagedBytes() throws Exception {
        write("vmlinux", "kernal");

        assertThat(seal.quickDamage("vmlinux")).isEmpty();
        assertThat(seal.thoroughDamage()).contains("vmlinux is not what was put there");
    }

    @Test
    void reportsTheNameOfAMissingFile() throws Exception {
        Files.delete(kernel);

        assertThat(seal.quickDamage("vmlinux")).contains("vmlinux is missing");
    }

    @Test
    void theQuickCheckCoversBootFilesAndTheFullCheckAllFiles() throws Exception {
        Files.writeString(module, "mod");

        assertThat(seal.quickDamage("vmlinux")).isEmpty();
        assertThat(seal.thoroughDamage()).contains("lib/a b/m.ko has 3 bytes, not 6");
    }

    @Test
    void aCopyWithNewTimesIsInOrderAndReadOnlyOnce() throws Exception {
        Files.setLastModifiedTime(kernel, FileTime.from(Instant.parse("2026-05-05T05:05:05Z")));

        assertThat(seal.quickDamage("vmlinux")).isEmpty();

        assertThat(Files.getLastModifiedTime(kernel)).isEqualTo(MADE);
    }

    @Test
    void anInvalidListCountsAsDamage() throws Exception {
        Files.writeString(entry.resolve(".seal"), "zeros\n", StandardCharsets.US_ASCII);
        CacheSeal.Check inspector = new CacheSeal.Check("vmlinux", false, Progress.silent());

        assertThat(inspector.damage(entry)).get().asString().contains("is not valid");
    }

    @Test
    void anEntryWithoutAListIsDamaged() throws Exception {
        Files.delete(entry.resolve(".seal"));
        CacheSeal.Check inspector = new CacheSeal.Check("vmlinux", false, Progress.silent());

        assertThat(inspector.damage(entry)).contains("it has no list of checksums");
    }
}
