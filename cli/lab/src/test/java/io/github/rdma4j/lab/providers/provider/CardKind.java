// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.providers.provider;

import io.github.rdma4j.lab.providers.card.Timing;
import io.github.rdma4j.lab.providers.kernel.CardSettings;
import io.github.rdma4j.lab.providers.kernel.Mlx4Settings;
import io.github.rdma4j.lab.providers.kernel.Mlx5Settings;

/** The devices in software that have all types of queue pairs. */
enum CardKind {
    /** ConnectX-5 with user indexes in completions. */
    MLX5,
    /** ConnectX-5 with queue pair numbers in completions. */
    MLX5_CQE0,
    /** ConnectX-3 with completions of 64 bytes. */
    MLX4,
    /** ConnectX-3 with completions of 32 bytes. */
    MLX4_CQE32;

    private static final int PAGE = 4096;

    /** A kernel with a device that does everything at once. */
    CardSettings settings() {
        return at(Timing.prompt());
    }

    /** A kernel with a device at that pace. */
    CardSettings at(Timing timing) {
        return switch (this) {
            case MLX5 -> new Mlx5Settings().timing(timing);
            case MLX5_CQE0 -> new Mlx5Settings().timing(timing).cqeVersion(0);
            case MLX4 -> new Mlx4Settings().timing(timing);
            case MLX4_CQE32 -> new Mlx4Settings().timing(timing).withSmallCompletions();
        };
    }

    /** A kernel that gives the number of a queue pair that is gone to the next object. */
    CardSettings withNumbersAgain() {
        return switch (this) {
            case MLX5 -> new Mlx5Settings().withNumbersAgain();
            case MLX5_CQE0 -> new Mlx5Settings().cqeVersion(0).withNumbersAgain();
            case MLX4 -> new Mlx4Settings().withNumbersAgain();
            case MLX4_CQE32 -> new Mlx4Settings().withSmallCompletions().withNumbersAgain();
        };
    }

    /** A kernel that locks memory for a context and one small completion queue. */
    CardSettings withLittleLockedMemory() {
        return switch (this) {
            case MLX5 -> new Mlx5Settings().lockedBytes(2 * PAGE);
            case MLX5_CQE0 -> new Mlx5Settings().cqeVersion(0).lockedBytes(2 * PAGE);
            case MLX4 -> new Mlx4Settings().lockedBytes(3 * PAGE);
            case MLX4_CQE32 -> new Mlx4Settings().withSmallCompletions().lockedBytes(3 * PAGE);
        };
    }

    /** One of the devices for each seed. */
    static CardKind of(long seed) {
        return values()[Math.floorMod(seed, values().length)];
    }
}
