// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.providers.provider;

import io.github.rdma4j.lab.providers.card.Timing;
import io.github.rdma4j.lab.providers.kernel.BnxtSettings;
import io.github.rdma4j.lab.providers.kernel.CardSettings;
import io.github.rdma4j.lab.providers.kernel.IrdmaSettings;
import io.github.rdma4j.lab.providers.kernel.Mlx4Settings;
import io.github.rdma4j.lab.providers.kernel.Mlx5Settings;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.List;
import org.junit.jupiter.params.provider.EnumSource;

/** The devices in software that have atomic operations, datagrams and shared receive queues. */
enum CardKind {
    /** ConnectX-5 with user indexes in completions. */
    MLX5,
    /** ConnectX-5 with queue pair numbers in completions. */
    MLX5_CQE0,
    /** ConnectX-3 with completions of 64 bytes. */
    MLX4,
    /** ConnectX-3 with completions of 32 bytes. */
    MLX4_CQE32,
    /** BCM57414. */
    BNXT_P4,
    /** BCM57508. */
    BNXT_P5,
    /** BCM57608. */
    BNXT_P7,
    /** Intel's third generation. */
    IRDMA_GEN3;

    private static final int PAGE = 4096;
    private static final List<CardKind> WITH_XRC = List.of(MLX5, MLX5_CQE0, MLX4, MLX4_CQE32);

    /** Runs a test on each device that has XRC. */
    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @EnumSource(mode = EnumSource.Mode.MATCH_NONE, names = "(BNXT|IRDMA)_.*")
    @interface WithXrc {}

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
            case BNXT_P4, BNXT_P5, BNXT_P7 -> bnxt().timing(timing);
            case IRDMA_GEN3 -> new IrdmaSettings().gen3().timing(timing);
        };
    }

    /** A kernel that gives the number of a queue pair that is gone to the next object. */
    CardSettings withNumbersAgain() {
        return switch (this) {
            case MLX5 -> new Mlx5Settings().withNumbersAgain();
            case MLX5_CQE0 -> new Mlx5Settings().cqeVersion(0).withNumbersAgain();
            case MLX4 -> new Mlx4Settings().withNumbersAgain();
            case MLX4_CQE32 -> new Mlx4Settings().withSmallCompletions().withNumbersAgain();
            case BNXT_P4, BNXT_P5, BNXT_P7 -> bnxt().withNumbersAgain();
            case IRDMA_GEN3 -> new IrdmaSettings().gen3().withNumbersAgain();
        };
    }

    /** A kernel that locks memory for a context and one small completion queue. */
    CardSettings withLittleLockedMemory() {
        return switch (this) {
            case MLX5 -> new Mlx5Settings().lockedBytes(2 * PAGE);
            case MLX5_CQE0 -> new Mlx5Settings().cqeVersion(0).lockedBytes(2 * PAGE);
            case MLX4 -> new Mlx4Settings().lockedBytes(3 * PAGE);
            case MLX4_CQE32 -> new Mlx4Settings().withSmallCompletions().lockedBytes(3 * PAGE);
            case BNXT_P4, BNXT_P5, BNXT_P7 -> bnxt().lockedBytes(2 * PAGE);
            case IRDMA_GEN3 -> new IrdmaSettings().gen3().lockedBytes(4 * PAGE);
        };
    }

    private BnxtSettings bnxt() {
        BnxtSettings settings = new BnxtSettings();
        return this == BNXT_P4 ? settings.p4() : this == BNXT_P5 ? settings.p5() : settings;
    }

    /** One of the devices with XRC for each seed. */
    static CardKind withXrc(long seed) {
        return WITH_XRC.get(Math.floorMod(seed, WITH_XRC.size()));
    }
}
