// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.support.Nightly;
import io.github.rdma4j.testbed.host.Progress;
import io.github.rdma4j.testbed.image.CacheDirectory;
import io.github.rdma4j.testbed.image.KernelImage;
import io.github.rdma4j.testbed.image.KernelRelease;
import io.github.rdma4j.testbed.image.Workshop;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What this machine may lack, and what each way to use the testbed then says. No guest starts. */
@Nightly
class FaultsIT {
    /** The discard port: nothing listens there on any machine that tests run on. */
    private static final String NO_ARCHIVE = "http://127.0.0.1:9/debian";

    @TempDir
    private Path scratch;

    /** The ways to use the testbed. */
    enum Front {
        COMMAND_LINE,
        API,
        JUNIT;

        private List<String> arguments() {
            String ours = System.getProperty("java.class.path");
            String probe = FrontProbe.class.getName();
            return switch (this) {
                case COMMAND_LINE ->
                    List.of("-cp", Launched.CLASSES.toString(), TestbedMain.class.getName(), "run", "true");
                case API -> List.of("-cp", ours, probe, "api");
                case JUNIT -> List.of("-cp", ours, probe, "junit", "io.github.rdma4j.testbed.junit.GuestSamples$Tidy");
            };
        }

        /** What a user sees of the failure, on either stream. */
        String failure(List<String> wrapper, Map<String, String> environment) throws Exception {
            List<String> command = new ArrayList<>(wrapper);
            command.addAll(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-XX:TieredStopAtLevel=1",
                    "-XX:+UseSerialGC"));
            command.addAll(arguments());
            ProcessBuilder builder = new ProcessBuilder(command);
            for (String name : List.of("RDMA4J_CACHE", "XDG_CACHE_HOME", "RDMA4J_DEBIAN_SNAPSHOT")) {
                builder.environment().remove(name);
            }
            builder.environment().put("RDMA4J_DEBIAN_MIRROR", NO_ARCHIVE);
            builder.environment().putAll(environment);
            Launched.Outcome outcome = Launched.run(builder, new byte[0]);
            assertThat(outcome.text()).doesNotContain("no failure");
            return outcome.text() + outcome.errors();
        }
    }

    /** A shell with mounts of its own that runs the command after a script. */
    private static List<String> withMounts(String script, Path path) throws Exception {
        String user = OrdinaryUser.isRoot() ? "" : "r";
        return List.of("unshare", "-m" + user, "sh", "-ec", script + "; shift; exec \"$@\"", "sh", path.toString());
    }

    private static Map<String, String> with(Backend backend, String name, Path value) {
        return Map.of(Backend.VARIABLE, backend.label(), name, value.toString());
    }

    @ParameterizedTest
    @EnumSource
    void withoutQemu(Front front) throws Exception {
        Path noPrograms = Files.createDirectory(scratch.resolve("programs"));

        assertThat(front.failure(List.of(), with(Backend.VM, "PATH", noPrograms)))
                .contains("there is no QEMU", "install Debian's qemu-system-x86", "testbed setup --on uml");
    }

    @ParameterizedTest
    @EnumSource
    void withoutKernelAndNetwork(Front front) throws Exception {
        String failure = front.failure(List.of(), with(Backend.VM, "RDMA4J_CACHE", scratch.resolve("cache")));
        assertThat(failure)
                .contains(NO_ARCHIVE + " cannot be reached", "testbed setup", "RDMA4J_CACHE", "RDMA4J_DEBIAN_MIRROR");
        if (front == Front.COMMAND_LINE) {
            assertThat(failure.lines().filter(line -> !line.startsWith("testbed: reading")))
                    .hasSize(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void withoutTheKernelOfUserModeLinux(Front front) throws Exception {
        Path cache = scratch.resolve("cache");

        assertThat(front.failure(List.of(), with(Backend.UML, "RDMA4J_CACHE", cache)))
                .contains("is not in the cache " + cache, "testbed setup --on uml", "--on vm");
    }

    @ParameterizedTest
    @EnumSource
    void withAHomeThatIsReadOnly(Front front) throws Exception {
        Path home = Files.createDirectory(scratch.resolve("home"));
        List<String> readOnly = withMounts("mount --bind \"$1\" \"$1\"; mount -o remount,ro,bind \"$1\"", home);

        assertThat(front.failure(readOnly, with(Backend.VM, "HOME", home)))
                .contains(
                        "the cache lacks " + home + "/.cache/rdma4j/", "this user cannot write there", "RDMA4J_CACHE");
    }

    /** The kernel is there, and there is no room for what is made of it at the first start. */
    @ParameterizedTest
    @EnumSource
    void withoutSpace(Front front) throws Exception {
        CacheDirectory real = CacheDirectory.of(System.getenv());
        KernelImage.of(KernelRelease.DEFAULT, false, Workshop.ofThisProcess(Progress.silent()));
        Path kernel = real.root().resolve(KernelImage.entryName(KernelRelease.DEFAULT));
        Path cache = Files.createDirectory(scratch.resolve("cache"));
        List<String> small =
                withMounts("mount -t tmpfs -o size=256k none \"$1\"; ln -s '" + kernel + "' \"$1\"", cache);

        assertThat(front.failure(small, with(Backend.VM, "RDMA4J_CACHE", cache)))
                .contains("There is no space left for the cache " + cache, "make room", "RDMA4J_CACHE");
    }
}
