// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.stress.api.ApiStress;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** A short round of random calls on soft-RoCE and the kernel's connection manager, with another seed in each run. */
@RequiresKernel
class ApiStressKernelIT {
    @Test
    void noMethodThrowsHangsOrLeavesWhatItMustNot() throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        int status = ApiStress.run(
                new PrintStream(bytes, true, StandardCharsets.UTF_8),
                "--seconds",
                "10",
                "--device",
                Rxe.DEVICE,
                "--address",
                Rxe.IPV4);
        assertThat(status).as(bytes.toString(StandardCharsets.UTF_8)).isZero();
    }
}
