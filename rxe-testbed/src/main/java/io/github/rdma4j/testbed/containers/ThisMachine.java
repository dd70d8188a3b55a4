// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.containers;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.command.BuildImageResultCallback;
import io.github.rdma4j.testbed.Backend;
import io.github.rdma4j.testbed.host.Progress;
import io.github.rdma4j.testbed.host.TestbedException;
import io.github.rdma4j.testbed.image.CacheDirectory;
import io.github.rdma4j.testbed.image.KernelRelease;
import io.github.rdma4j.testbed.vm.KernelVm;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.utility.DockerImageName;

/**
 * An image without programs, to which containers mount those of this machine. It takes no registry, a few kilobytes, and no
 * time.
 */
final class ThisMachine {
    private static final String IMAGE = "rdma4j/this-machine";
    private static final String CLASSES = "/opt/rdma4j/classes";
    private static final String CACHE = "/opt/rdma4j/cache";
    private static final List<String> DIRECTORIES = List.of(
            "dev", "etc", "home", "opt", "opt/rdma4j", "proc", "root", "run", "sys", "tmp", "usr", "var", "var/tmp");

    /** As Debian has them since it keeps all programs below /usr. */
    private static final List<String> LINKS = List.of("bin", "lib", "lib64", "sbin");

    private ThisMachine() {}

    static SoftRoceContainer container() throws IOException, InterruptedException {
        Backend backend = prepare();
        String tag = Integer.toHexString(program().hashCode());
        DockerClient engine = DockerClientFactory.lazyClient();
        if (engine.listImagesCmd().withImageNameFilter(IMAGE + ":" + tag).exec().isEmpty()) {
            String unused = engine.buildImageCmd(new ByteArrayInputStream(context()))
                    .withTags(Set.of(IMAGE + ":" + tag))
                    .exec(new BuildImageResultCallback())
                    .awaitImageId();
        }
        SoftRoceContainer container = new SoftRoceContainer(DockerImageName.parse(IMAGE + ":" + tag));
        Path cache = CacheDirectory.of(System.getenv()).root();
        container
                .withImagePullPolicy(image -> false)
                .withBackend(backend)
                .withEnv("RDMA4J_CACHE", CACHE)
                .withMachineFiles(cache.toString(), CACHE)
                .withMachineFiles(classes().toString(), CLASSES)
                .withMachineFiles("/usr", "/usr");
        for (String directory : furtherDirectories()) {
            container.withMachineFiles(directory, directory);
        }
        return container;
    }

    /** The container may not write to the cache, so what it needs must be there before. */
    private static Backend prepare() throws IOException, InterruptedException {
        try {
            Backend backend = Backend.resolve(Optional.empty());
            Backend kind = backend == Backend.UML ? Backend.UML : Backend.VM;
            Progress progress = Progress.onStandardError();
            KernelVm unused = kind == Backend.UML
                    ? KernelVm.userModeLinux(progress)
                    : KernelVm.prepare(KernelRelease.DEFAULT, progress);
            return kind;
        } catch (TestbedException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /** What programs below /usr have links to, or read before they work. */
    private static List<String> furtherDirectories() throws IOException {
        List<String> found = new ArrayList<>();
        String home = javaHome();
        if (!home.startsWith("/usr/")) {
            found.add(home);
        }
        try (var entries = Files.newDirectoryStream(Path.of("/etc"), "{alternatives,java*,libibverbs.d,ld.so.cache}")) {
            entries.forEach(entry -> found.add(entry.toString()));
        }
        return found;
    }

    private static String javaHome() {
        return System.getProperty("java.home");
    }

    private static Path classes() throws IOException {
        try {
            Path classes = Path.of(KernelVm.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            return classes.toAbsolutePath();
        } catch (URISyntaxException e) {
            throw new IOException(e);
        }
    }

    private static String program() {
        return """
                #!/bin/sh
                exec '%s/bin/java' -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp %s \\
                    io.github.rdma4j.testbed.TestbedMain "$@"
                """.formatted(javaHome(), CLASSES);
    }

    private static byte[] context() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (TarArchiveOutputStream tar = new TarArchiveOutputStream(bytes)) {
            byte[] root = root();
            file(tar, "Dockerfile", 0100644, "FROM scratch\nADD root.tar /\n".getBytes(StandardCharsets.US_ASCII));
            file(tar, "root.tar", 0100644, root);
        }
        return bytes.toByteArray();
    }

    private static byte[] root() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (TarArchiveOutputStream tar = new TarArchiveOutputStream(bytes)) {
            for (String directory : DIRECTORIES) {
                TarArchiveEntry entry = new TarArchiveEntry(directory + "/");
                entry.setMode(directory.endsWith("tmp") ? 041777 : 040755);
                tar.putArchiveEntry(entry);
                tar.closeArchiveEntry();
            }
            for (String link : LINKS) {
                TarArchiveEntry entry = new TarArchiveEntry(link, TarConstants.LF_SYMLINK);
                entry.setLinkName("usr/" + link);
                tar.putArchiveEntry(entry);
                tar.closeArchiveEntry();
            }
            file(tar, "etc/passwd", 0100644, "root:x:0:0:root:/root:/bin/sh\n".getBytes(StandardCharsets.US_ASCII));
            file(tar, "etc/group", 0100644, "root:x:0:\n".getBytes(StandardCharsets.US_ASCII));
            file(tar, SoftRoceContainer.PROGRAM.substring(1), 0100755, program().getBytes(StandardCharsets.UTF_8));
        }
        return bytes.toByteArray();
    }

    private static void file(TarArchiveOutputStream tar, String name, int mode, byte[] content) throws IOException {
        TarArchiveEntry entry = new TarArchiveEntry(name);
        entry.setMode(mode);
        entry.setSize(content.length);
        tar.putArchiveEntry(entry);
        tar.write(content);
        tar.closeArchiveEntry();
    }
}
