// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.sa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.internal.sysfs.RdmaPort;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.testkit.ScriptedKernel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KernelPortsTest {
    @TempDir
    Path root;

    private Kernel kernel;

    @BeforeEach
    void makePorts() throws IOException {
        kernel = new ScriptedKernel().kernel(root);
        add("mlx5_0", 1, "Ethernet", "4: ACTIVE");
        add("mlx5_1", 1, "InfiniBand", "1: DOWN");
        add("mlx5_1", 2, "InfiniBand", "4: ACTIVE");
    }

    private void add(String device, int port, String linkLayer, String state) throws IOException {
        Path directory = Files.createDirectories(
                root.resolve(Path.of("sys", "class", "infiniband", device, "ports", Integer.toString(port))));
        Files.writeString(directory.resolve("link_layer"), linkLayer + "\n");
        Files.writeString(directory.resolve("state"), state + "\n");
    }

    @Test
    void prefersInfiniBandAndWhatIsActive() throws Exception {
        RdmaPort best = SaCommand.choose(kernel, null, null);
        assertThat(best.device()).isEqualTo("mlx5_1");
        assertThat(best.number()).isEqualTo(2);
    }

    @Test
    void takesWhatIsNamed() throws Exception {
        assertThat(SaCommand.choose(kernel, "mlx5_0", null).number()).isEqualTo(1);
        assertThat(SaCommand.choose(kernel, "mlx5_1", 1).number()).isEqualTo(1);
        assertThat(SaCommand.choose(kernel, null, 1).device()).isEqualTo("mlx5_1");
    }

    @Test
    void saysWhatIsMissing() {
        assertThatThrownBy(() -> SaCommand.choose(kernel, "mlx5_2", 1))
                .isInstanceOf(RdmaException.class)
                .hasMessage("there is no mlx5_2 with a port 1 here; ls /sys/class/infiniband shows the devices");
        Kernel none = new ScriptedKernel().kernel(root.resolve("none"));
        assertThatThrownBy(() -> SaCommand.choose(none, null, null))
                .hasMessageContaining("there is no RDMA device here")
                .as("for the advice on what helps")
                .hasCause(new ErrnoException("looking for an RDMA device", Errno.ENODEV));
    }
}
