// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.containers;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.command.BuildImageResultCallback;
import io.github.rdma4j.testbed.Backend;
import io.github.rdma4j.testbed.guest.KernelVm;
import io.github.rdma4j.testbed.host.Progress;
import io.github.rdma4j.testbed.host.TestbedException;
import io.github.rdma4j.testbed.image.CacheDirectory;
import io.github.rdma4j.testbed.image.KernelRelease;
import io.github.rdma4j.testbed.image.UmlKernel;
import io.github.rdma4j.testbed.machine.Devices;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.testcontainers.DockerClientFactory;

/**
 * An image without programs; its containers mount the programs of this machine. It needs no registry and a few
 * kilobytes. Its command line of the testbed is {@link #PROGRAM}.
 */
final class MachineImage {
    /** The command line of the testbed in an image. */
    static final String PROGRAM = "/opt/rdma4j/testbed";

    /** The variable that names the cache. */
    static final String CACHE_VARIABLE = "RDMA4J_CACHE";

    /** The place of this machine's cache in containers. */
    static final String CACHE = "/opt/rdma4j/cache";

    private static final String IMAGE = "rdma4j/this-machine";
    private static final String CLASSES = "/opt/rdma4j/classes";
    private static final List<String> DIRECTORIES = List.of(
            "dev", "etc", "home", "opt", "opt/rdma4j", "proc", "root", "run", "sys", "tmp", "usr", "var", "var/tmp");

    /** The links of a Debian system that keeps all programs below /usr. */
    private static final List<String> LINKS = List.of("bin", "lib", "lib64", "sbin");

    private MachineImage() {}

    /** The name of the image, which the engine has when this method returns. */
    static String build() throws IOException {
        String name = IMAGE + ":" + Integer.toHexString(program().hashCode());
        DockerClient engine = DockerClientFactory.lazyClient();
        if (engine.listImagesCmd().withImageNameFilter(name).exec().isEmpty()) {
            String unused = engine.buildImageCmd(new ByteArrayInputStream(context()))
                    .withTags(Set.of(name))
                    .exec(new BuildImageResultCallback())
                    .awaitImageId();
        }
        return name;
    }

    /** The kind of guest: the configured kind, otherwise the kind whose kernel is in the cache. */
    static Backend kind() throws TestbedException {
        Optional<Backend> configured = Backend.configured();
        boolean uml = configured.isPresent()
                ? configured.get() == Backend.UML
                : UmlKernel.isIn(CacheDirectory.of(System.getenv()));
        return uml ? Backend.UML : Backend.VM;
    }

    /** Fills the cache for a guest, because a container cannot write to the cache. */
    static void prepare(Backend kind, KernelRelease release, Devices devices)
            throws TestbedException, InterruptedException {
        KernelVm vm = KernelVm.prepare(kind == Backend.UML, release, false, Progress.onStandardError());
        Devices.Files unused = vm.deviceFiles(devices);
    }

    /**
     * The read-only mounts of containers of the image: directories and files of this machine, with their paths in the
     * container.
     */
    static Map<String, String> mounts() throws IOException {
        Map<String, String> mounts = new LinkedHashMap<>();
        mounts.put(CacheDirectory.of(System.getenv()).root().toString(), CACHE);
        mounts.put(classes().toString(), CLASSES);
        mounts.put("/usr", "/usr");
        for (String directory : furtherDirectories()) {
            mounts.put(directory, directory);
        }
        return mounts;
    }

    /** Files to which programs below /usr have links, or which they read. */
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
            file(tar, "Dockerfile", 0100644, "FROM scratch\nADD root.tar /\n");
            file(tar, "root.tar", 0100644, root);
        }
        return bytes.toByteArray();
    }

    private static byte[] root() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (TarArchiveOutputStream tar = new TarArchiveOutputStream(bytes)) {
            for (String directory : DIRECTORIES) {
                file(tar, directory + "/", directory.endsWith("tmp") ? 041777 : 040755, "");
            }
            for (String link : LINKS) {
                TarArchiveEntry entry = new TarArchiveEntry(link, TarConstants.LF_SYMLINK);
                entry.setLinkName("usr/" + link);
                tar.putArchiveEntry(entry);
                tar.closeArchiveEntry();
            }
            file(tar, "etc/passwd", 0100644, "root:x:0:0:root:/root:/bin/sh\n");
            file(tar, "etc/group", 0100644, "root:x:0:\n");
            file(tar, PROGRAM.substring(1), 0100755, program());
        }
        return bytes.toByteArray();
    }

    private static void file(TarArchiveOutputStream tar, String name, int mode, String text) throws IOException {
        file(tar, name, mode, text.getBytes(StandardCharsets.UTF_8));
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
