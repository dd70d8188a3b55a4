// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.micro;

import static io.github.rdma4j.internal.mlx4.Cqe.CqeCodes.MLX4_CQE_IS_SEND_MASK;
import static io.github.rdma4j.internal.mlx4.Wqe.WqeCodes.MLX4_OPCODE_SEND;

import io.github.rdma4j.internal.mlx4.Cqe.CqeBytes;
import io.github.rdma4j.internal.mlx5.Cqe.Cqe64;
import io.github.rdma4j.internal.mlx5.Cqe.CqeCodes;
import io.github.rdma4j.internal.mlx5.Wqe.WqeCodes;
import io.github.rdma4j.lab.providers.kernel.CardKernel;
import io.github.rdma4j.lab.providers.kernel.Mlx4Kernel;
import io.github.rdma4j.lab.providers.kernel.Mlx5Kernel;
import io.github.rdma4j.lab.providers.mlx4.Mlx4Driver;
import io.github.rdma4j.lab.providers.mlx5.Mlx5Driver;
import io.github.rdma4j.lab.providers.script.Driver;
import java.nio.ByteBuffer;
import java.util.Locale;

/** The devices on whose rings posting and polling are measured. */
enum PaceDevice {
    /** ConnectX-5. */
    MLX5,
    /** ConnectX-3. */
    MLX4;

    /** The property that has the name of the device in a process that measures. */
    static final String PROPERTY = "rdma4j.pace.device";

    private static final int OPCODE_SHIFT = 4;

    /** The device of this process. */
    static PaceDevice chosen() {
        return valueOf(System.getProperty(PROPERTY, MLX5.name()));
    }

    Driver driver() {
        return this == MLX5 ? new Mlx5Driver() : new Mlx4Driver();
    }

    CardKernel kernel() {
        return this == MLX5 ? new Mlx5Kernel() : new Mlx4Kernel();
    }

    /** The name of the driver, for the names of results. */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Writes what the entries of completed sends have in common. The first queue pair of a context has the user index 0. */
    void describe(ByteBuffer entry, int qpn) {
        if (this == MLX5) {
            entry.putInt(Cqe64.SOP_DROP_QPN, WqeCodes.MLX5_OPCODE_SEND << 24 | qpn);
        } else {
            entry.putInt(CqeBytes.VLAN_MY_QPN, qpn);
        }
    }

    /** Writes which send the entry completes: it began at block {@code position}. */
    void count(ByteBuffer entry, int position) {
        if (this == MLX5) {
            entry.putInt(Cqe64.WQE_COUNTER, position << Short.SIZE | CqeCodes.MLX5_CQE_REQ << OPCODE_SHIFT);
        } else {
            entry.putShort(CqeBytes.WQE_INDEX, (short) position);
            entry.put(CqeBytes.OWNER_SR_OPCODE, (byte) (MLX4_CQE_IS_SEND_MASK | MLX4_OPCODE_SEND));
        }
    }

    /** The blocks of a send of 64 bytes of inline data: those of ConnectX-5 are of 64 bytes, and count. */
    int blocksOfInline() {
        return this == MLX5 ? 2 : 1;
    }
}
