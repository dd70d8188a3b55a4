// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.provider;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.providers.card.Timing;
import io.github.rdma4j.providers.kernel.BnxtSettings;
import io.github.rdma4j.providers.kernel.CardKernel;
import io.github.rdma4j.providers.kernel.CardSettings;
import io.github.rdma4j.providers.kernel.ErdmaSettings;
import io.github.rdma4j.providers.kernel.IrdmaSettings;
import io.github.rdma4j.providers.kernel.KernelCommand;
import io.github.rdma4j.providers.kernel.Mlx4Settings;
import io.github.rdma4j.providers.kernel.Mlx5Settings;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.SharedReceiveQueueOptions;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.params.provider.EnumSource;

/** The devices in software. */
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
    ERDMA,
    /** E810 over RoCE. */
    IRDMA_E810,
    /** E810 over iWARP. */
    IRDMA_E810_IWARP,
    /** X722. */
    IRDMA_X722,
    /** Intel's third generation. */
    IRDMA_GEN3;

    private static final int PAGE = 4096;

    /** Runs a test on each device that has XRC. */
    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @EnumSource(mode = EnumSource.Mode.MATCH_ANY, names = "MLX.*")
    @interface WithXrc {}

    /** Runs a test on each device that has datagrams and shared receive queues. */
    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @EnumSource(mode = EnumSource.Mode.MATCH_ANY, names = "(MLX|BNXT).*|IRDMA_GEN3")
    @interface WithSharedReceives {}

    /** Runs a test on each device whose completion queues can be resized. */
    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @EnumSource(mode = EnumSource.Mode.MATCH_ANY, names = "MLX4.*|BNXT.*|IRDMA_E810|IRDMA_GEN3")
    @interface WithResizing {}

    /** A kernel with a device that does everything at once. */
    CardSettings<?> settings() {
        return switch (this) {
            case MLX5 -> new Mlx5Settings();
            case MLX5_CQE0 -> new Mlx5Settings().cqeVersion(0).contextReplyBytes(48);
            case MLX4 -> new Mlx4Settings();
            case MLX4_CQE32 -> new Mlx4Settings().withSmallCompletions();
            case BNXT_P4 -> new BnxtSettings().p4();
            case BNXT_P5 -> new BnxtSettings().p5();
            case BNXT_P7 -> new BnxtSettings();
            case ERDMA -> new ErdmaSettings();
            case IRDMA_E810 -> new IrdmaSettings();
            case IRDMA_E810_IWARP -> new IrdmaSettings().iwarp();
            case IRDMA_X722 -> new IrdmaSettings().x722();
            case IRDMA_GEN3 -> new IrdmaSettings().gen3();
        };
    }

    /** Two connected queue pairs on the device, which does everything at once. */
    CardPair pair() throws RdmaException {
        return pair(settings());
    }

    /** Two connected queue pairs on the device with {@code changed} settings. */
    CardPair pair(CardSettings<?> changed) throws RdmaException {
        return new CardPair(changed, pieces(), inline());
    }

    /** Two connected queue pairs on the device at that pace. */
    CardPair pair(Timing timing) throws RdmaException {
        return pair(settings().timing(timing));
    }

    /** Makes one object of each kind that the device has. */
    void makeEverything(CardKernel kernel) throws RdmaException {
        try (DeviceContext context = kernel.openDevice();
                ProtectionDomain pd = context.allocatePd()) {
            makeQueues(pd);
            if (hasDatagrams()) {
                pd.createAh(CardKernel.WAY);
            }
        }
    }

    /** Makes one queue of each kind that the device has, and returns the completion queue, resized if the device can. */
    CompletionQueue makeQueues(ProtectionDomain pd) throws RdmaException {
        CompletionQueue cq = pd.context().createCq(10);
        if (resizes()) {
            cq.resize(100);
        }
        if (hasSharedReceives()) {
            pd.createSrq(SharedReceiveQueueOptions.DEFAULT);
        }
        pd.createQp(QueuePairOptions.builder().cq(cq).build());
        return cq;
    }

    /** The commands of {@link #makeEverything}. */
    Set<KernelCommand> commands() {
        Set<KernelCommand> commands = EnumSet.of(
                KernelCommand.OPEN,
                KernelCommand.GET_CONTEXT,
                KernelCommand.ALLOC_PD,
                KernelCommand.MAP,
                KernelCommand.CREATE_CQ,
                KernelCommand.CREATE_QP);
        if (resizes()) {
            commands.add(KernelCommand.RESIZE_CQ);
        }
        if (hasSharedReceives()) {
            commands.add(KernelCommand.CREATE_SRQ);
        }
        if (hasDatagrams() && this != MLX4 && this != MLX4_CQE32) {
            commands.add(KernelCommand.CREATE_AH);
        }
        if (this == MLX5 || this == MLX5_CQE0) {
            commands.add(KernelCommand.ALLOC_UAR);
        }
        if (isOfIrdma()) {
            commands.add(KernelCommand.REG_MR);
        }
        return commands;
    }

    private boolean isOfIrdma() {
        return name().startsWith("IRDMA");
    }

    private boolean hasDatagrams() {
        return hasSharedReceives() || this == IRDMA_E810;
    }

    private boolean hasSharedReceives() {
        return this == IRDMA_GEN3 || (this != ERDMA && !isOfIrdma());
    }

    private boolean resizes() {
        return hasDatagrams() && this != MLX5 && this != MLX5_CQE0;
    }

    /** A kernel that locks memory for a context and one small completion queue. */
    CardSettings<?> withLittleLockedMemory() {
        int pages = switch (this) {
            case MLX5, MLX5_CQE0, BNXT_P4, BNXT_P5, BNXT_P7, ERDMA -> 2;
            case MLX4, MLX4_CQE32 -> 3;
            case IRDMA_GEN3 -> 4;
            case IRDMA_E810, IRDMA_E810_IWARP, IRDMA_X722 -> 8;
        };
        return settings().lockedBytes((long) pages * PAGE);
    }

    /** Scatter/gather elements of a send. */
    int pieces() {
        return this == IRDMA_X722 ? 3 : 4;
    }

    /** Bytes of inline data. */
    int inline() {
        return this == IRDMA_X722 ? 48 : 64;
    }

    /** More requests than the counters of the device tell apart; irdma counts the places of a ring. */
    int counts() {
        return isOfIrdma() ? 0x1000 : 0x1_0100;
    }

    boolean hasAtomics() {
        return this == IRDMA_GEN3 || !isOfIrdma();
    }
}
