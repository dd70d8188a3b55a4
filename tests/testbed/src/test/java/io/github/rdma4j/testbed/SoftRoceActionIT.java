// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.testbed.host.TestbedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script of the action for continuous integration, in the directory of a project in C. */
class SoftRoceActionIT {
    private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();
    private static final Path FOLDER = ROOT.resolve(".github/actions/soft-roce");
    private static final Pattern INPUT = Pattern.compile("inputs\\.(\\w+)");

    @TempDir
    private Path project;

    /** In the guests that this machine starts by default. */
    private static Map<String, String> on() throws TestbedException {
        return Map.of("SOFT_ROCE_ON", Backend.resolve(Optional.empty()).label());
    }

    private Launched.Outcome script(Map<String, String> environment, String... arguments) throws Exception {
        ProcessBuilder builder = Launched.builder();
        builder.command(FOLDER.resolve("soft-roce.sh").toString());
        builder.command().addAll(List.of(arguments));
        builder.directory(project.toFile()).environment().putAll(environment);
        return Launched.run(builder, new byte[0]);
    }

    @Test
    void runsTheChecksOfAProjectInTheGuest() throws Exception {
        Files.writeString(project.resolve("devices.c"), """
                #include <infiniband/verbs.h>
                #include <stdio.h>

                int main(void)
                {
                    int count;
                    struct ibv_device **list = ibv_get_device_list(&count);
                    for (int i = 0; i < count; i++)
                        printf("device %s\\n", ibv_get_device_name(list[i]));
                    ibv_free_device_list(list);
                    return count == 1 ? 0 : 1;
                }
                """);
        Files.writeString(project.resolve("Makefile"), """
                LDLIBS = -libverbs
                check: devices
                \t./devices | tee result
                \trping -s -C 3 & until rping -c -C 3 -v -S 40 -a 10.77.0.1; do sleep 0.1; done
                """);

        Launched.Outcome outcome = script(on(), "run", "make check");

        assertThat(outcome.status()).as(outcome.errors()).isZero();
        assertThat(outcome.text()).contains("device rxe0", "rdma-ping-2");
        assertThat(project.resolve("result")).hasContent("device rxe0");
    }

    @Test
    void theDeviceMayBeInfiniBand() throws Exception {
        Launched.Outcome outcome = script(
                Map.of("SOFT_ROCE_ON", "uml", "SOFT_ROCE_DEVICE", "ib", "SOFT_ROCE_OPTIONS", "--nodes 2"),
                "run",
                "ibv_devinfo | tee result; ibnetdiscover");

        assertThat(outcome.status()).as(outcome.errors()).isZero();
        assertThat(outcome.text()).contains("node1 softib0", "node2 softib0");
        assertThat(project.resolve("result")).content().contains("softib0", "PORT_ACTIVE", "InfiniBand");
    }

    @Test
    void failsLikeTheScript() throws Exception {
        assertThat(script(on(), "run", "true; false; true").status()).isEqualTo(1);
        assertThat(script(Map.of(), "run").errors()).isEqualTo("soft-roce: run takes a script\n");
        assertThat(script(Map.of()).status()).isEqualTo(2);
    }

    @Test
    void theKeyIsThatOfTheFiles() throws Exception {
        Launched.Outcome key = script(Map.of(), "key");
        assertThat(key.output()).matches("[0-9a-f]{16}\n");
        assertThat(script(Map.of(), "key")).isEqualTo(key);
    }

    @Test
    void theActionUsesTheInputsThatItDeclares() throws IOException {
        String action = Files.readString(FOLDER.resolve("action.yml"));
        String inputs = action.substring(action.indexOf("inputs:"), action.indexOf("runs:"));
        Matcher used = INPUT.matcher(action);
        while (used.find()) {
            assertThat(inputs).contains("\n  " + used.group(1) + ":\n");
        }
    }
}
