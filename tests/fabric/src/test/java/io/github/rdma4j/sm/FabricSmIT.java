// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.support.Await;
import io.github.rdma4j.support.Program;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The fabric of the other tests leaves nothing behind. */
@OnFabric
class FabricSmIT {
    @Test
    void nothingOutlivesItsOwner() throws Exception {
        try (Program owner = Program.start(Program.java(DyingOwner.class))) {
            List<String> said = owner.success().lines().toList();
            assertThat(said)
                    .as("the directory, ibsim, opensm and the shell that looks after them")
                    .hasSize(4);
            for (String pid : said.subList(1, said.size())) {
                Await.until("the end of " + pid, () -> isGone(Long.parseLong(pid)));
            }
            Await.until("an empty place", () -> Files.notExists(Path.of(said.get(0))));
        }
    }

    private static boolean isGone(long pid) {
        return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isEmpty();
    }
}
