// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.support.Nightly;
import io.github.rdma4j.testbed.image.CacheDirectory;
import io.github.rdma4j.testbed.image.UmlKernel;
import io.github.rdma4j.testbed.machine.GuestFailure;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** Guests in User Mode Linux. Building their kernel takes minutes, so the tests run where the kernel is in the cache. */
@EnabledIf(
        value = "kernelIsInTheCache",
        disabledReason = "the kernel of User Mode Linux is not in the cache; run ./rdma4j testbed setup --on uml")
class UmlIT extends GuestScenes {
    static boolean kernelIsInTheCache() {
        boolean present = UmlKernel.isIn(CacheDirectory.of(System.getenv()));
        if (!present) {
            System.err.println("left out: the tests of User Mode Linux guests, whose kernel is not in the cache;"
                    + " to run the tests: ./rdma4j testbed setup --on uml");
        }
        return present;
    }

    @Override
    ProcessBuilder run(String... arguments) {
        List<String> all = new ArrayList<>(List.of("run", "--on", "uml"));
        all.addAll(List.of(arguments));
        return Launched.builder(all.toArray(String[]::new));
    }

    @Test
    void megabytesOfAnyBytesComeBackWhole() throws Exception {
        byte[] input = new byte[20_000_000];
        new Random(1).nextBytes(input);

        Launched.Outcome outcome = Launched.run(run("--no-rxe", "sh", "-c", "cat; echo done >&2; exit 9"), input);

        assertThat(outcome.errors()).isEqualTo("done\n");
        assertThat(outcome.bytes()).isEqualTo(input);
        assertThat(outcome.status()).isEqualTo(9);
    }

    @Test
    void aCommandThatReadsNothingYetDoesNotHoldItsOutputUp() throws Exception {
        Launched.Outcome outcome =
                Launched.run(run("--no-rxe", "sh", "-c", "head -c 3000000 /dev/zero; wc -c >&2"), new byte[3_000_000]);

        assertThat(outcome.errors()).isEqualTo("3000000\n");
        assertThat(outcome.bytes()).hasSize(3_000_000);
    }

    @Test
    void aCommandDoesNotReachTheHostBesideItsShares(@TempDir Path directory) throws Exception {
        Path share = Files.createDirectory(directory.resolve("share"));
        Path outside = Files.createDirectory(directory.resolve("outside"));
        Path victim = Files.writeString(outside.resolve("victim"), "kept\n");
        Files.setPosixFilePermissions(victim, PosixFilePermissions.fromString("rw-r-----"));
        String script = """
                grep -o 'rdma4j.confined=[a-z,]*' /proc/cmdline
                mkdir /run/again
                mount -t hostfs -o "$2" none /run/again && echo mounted
                for directory in "$2" /run/again; do
                    echo changed > $directory/victim; chmod 4755 $directory/victim; echo made > $directory/made
                done
                echo kept > "$1/file"; chmod 4755 "$1/file" || chmod 750 "$1/file"
                """;

        Launched.Outcome outcome = outcome(
                "--no-rxe",
                "--share",
                share.toString(),
                "sh",
                "-c",
                script,
                "sh",
                share.toString(),
                outside.toString());

        assertThat(outcome.text())
                .as(outcome.errors())
                .startsWith("rdma4j.confined=")
                .doesNotContain("nothing", "mounted");
        assertThat(victim).hasContent("kept\n");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(victim)))
                .isEqualTo("rw-r-----");
        assertThat(outside.resolve("made")).doesNotExist();
        assertThat((int) Files.getAttribute(share.resolve("file"), "unix:mode") & 07777)
                .isEqualTo(0750);
    }

    @Test
    @Nightly
    void aWalkOverMoreDirectoriesThanTheHostLetsBeOpenLeavesAGuestThatWorks(@TempDir Path directory) throws Exception {
        for (int i = 0; i < 8_000; i++) {
            Files.createDirectory(directory.resolve("d" + i));
        }
        ProcessBuilder builder =
                run("--no-rxe", "sh", "-c", "find \"$1\" | wc -l; ls / > /dev/null && echo works", "sh");
        builder.command().add(directory.toString());
        builder.command().addAll(0, List.of("sh", "-c", "ulimit -n 4000 && exec \"$@\"", "sh"));

        Launched.Outcome outcome = Launched.run(builder, new byte[0]);

        assertThat(outcome.text()).as(outcome.errors()).isEqualTo("8001\nworks\n");
    }

    @Test
    void iwarpIsThere() throws Exception {
        assertThat(outcome("--device", "siw", "rdma", "link", "show").text()).startsWith("link siw0/1 state ACTIVE");
    }

    @Test
    void aDeviceGoesAndComesBackWhileItIsOpen() throws Exception {
        Launched.Outcome outcome = outcome(
                "sh",
                "-c",
                "rping -s & until rdma resource show cm_id | grep -q LISTEN; do sleep 0.1; done;"
                        + " rdma link delete rxe0 && rdma link add rxe0 type rxe netdev veth0 && rdma link show");

        assertThat(outcome.text()).as(outcome.errors()).contains("link rxe0/1 state ACTIVE");
    }

    @Test
    void nodesReachEachOther(@TempDir Path directory) throws Exception {
        Path capture = directory.resolve("wire.pcap");
        String script = "testbed-node 2 -- rping -s -C 3 & "
                + "while ! rping -c -a 10.77.0.2 -C 3 -v 2> /dev/null; do sleep 0.1; done; wait";

        Launched.Outcome outcome =
                outcome("--nodes", "2", "--memory", "1024", "--pcap", capture.toString(), "sh", "-c", script);

        assertThat(outcome.text()).as(outcome.errors()).contains("ping data: rdma-ping-2");
        assertThat(outcome.status()).isZero();
        assertThat(Files.size(capture)).isGreaterThan(1000);
    }

    @Test
    void guestsRunSideBySide() throws Exception {
        List<Launched> guests = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            guests.add(Launched.start(run("sh", "-c", "echo ready; read line; rdma link show; echo $line")));
        }
        for (Launched guest : guests) {
            assertThat(guest.readLine()).isEqualTo("ready");
        }
        for (Launched guest : guests) {
            Launched.Outcome outcome = guest.finish("hello\n".getBytes(StandardCharsets.US_ASCII));
            assertThat(outcome.text()).as(outcome.errors()).contains("ACTIVE").endsWith("hello\n");
            guest.close();
        }
    }

    @Test
    void memoryThatThereIsNoRoomForIsRefused() throws Exception {
        Launched.Outcome outcome = outcome("--memory", "100000000", "true");

        assertThat(outcome.status()).isEqualTo(GuestFailure.START.exitStatus());
        assertThat(outcome.errors()).contains("no place for the guest's memory of 100000000 MiB", "--memory");
    }
}
