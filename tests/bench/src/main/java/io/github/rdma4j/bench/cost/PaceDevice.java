// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.cost;

import io.github.rdma4j.providers.bnxt.BnxtMode;
import io.github.rdma4j.providers.erdma.ErdmaMode;
import io.github.rdma4j.providers.irdma.IrdmaMode;
import io.github.rdma4j.providers.kernel.BnxtSettings;
import io.github.rdma4j.providers.kernel.CardKernel;
import io.github.rdma4j.providers.kernel.ErdmaSettings;
import io.github.rdma4j.providers.kernel.IrdmaSettings;
import io.github.rdma4j.providers.kernel.Mlx4Settings;
import io.github.rdma4j.providers.kernel.Mlx5Settings;
import io.github.rdma4j.providers.mlx4.Mlx4Mode;
import io.github.rdma4j.providers.mlx5.Mlx5Mode;
import io.github.rdma4j.providers.script.Mode;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The devices on whose rings posting and polling are measured. */
@SuppressWarnings("ImmutableEnumChecker") // modes and makers of kernels have no state
enum PaceDevice {
    /** ConnectX-5, whose requests take blocks of 64 bytes. */
    MLX5(
            Mlx5Mode.ROCE,
            () -> new CardKernel(new Mlx5Settings()),
            new Sends("0 @ a 64 0 0 0 0", 0x0a, 2, 0, Sends.COUNTERS)),

    /** ConnectX-3, which counts requests. */
    MLX4(
            Mlx4Mode.ROCE,
            () -> new CardKernel(new Mlx4Settings()),
            new Sends("a @ 1 64 0 0 0 0 0 0", 0x0a, 1, 0, Sends.COUNTERS)),

    /** An elastic RDMA adapter, whose requests take blocks of 32 bytes. */
    ERDMA(
            ErdmaMode.SHARED,
            () -> new CardKernel(new ErdmaSettings()),
            new Sends("2 0 @ 0 64 0", 2, 3, 0, Sends.COUNTERS)),

    /** E810 over RoCE, whose requests take quanta of 32 bytes, and whose completions name the quantum of the ring. */
    IRDMA(IrdmaMode.ROCE, () -> new CardKernel(new IrdmaSettings()), new Sends("3 1 @ 0 0 64 - 0 0", 3, 3, 8, 2048)),

    /** The third generation of irdma, whose completions have 64 bytes. */
    IRDMA_GEN3(
            IrdmaMode.GEN3,
            () -> new CardKernel(new IrdmaSettings().gen3()),
            new Sends("3 1 @ 0 0 64 - 0 0", 3, 3, 8, 2048)),

    /** BCM57608, which counts requests round to the slots of the ring. */
    BNXT_RE(
            BnxtMode.UNWATCHED,
            () -> new BnxtSettings().unwatched().start(),
            new Sends("0 0 @ 0 0 0 0", 0, 1, 0, 2560));

    private final Mode mode;
    private final Supplier<CardKernel> kernel;
    private final Sends sends;

    PaceDevice(Mode mode, Supplier<CardKernel> kernel, Sends sends) {
        this.mode = mode;
        this.kernel = kernel;
        this.sends = sends;
    }

    /**
     * The sends of the benchmarks.
     *
     * @param line the words of a script's line that complete a send, with "@" for the number of its first block
     * @param code the device's number of the operation
     * @param blocksOfInline the blocks of a send of 64 bytes of inline data; another send takes one block
     * @param chunk the blocks whose multiple no send crosses; 0 if a send may lie anywhere
     * @param lap how many numbers there are for a block
     */
    record Sends(String line, int code, int blocksOfInline, int chunk, int lap) {
        /** The numbers of a counter of 16 bits. */
        static final int COUNTERS = 1 << Short.SIZE;

        /** The block at {@code position} or behind it at which a send of {@code blocks} begins. */
        int begin(int position, int blocks) {
            int into = chunk == 0 ? 0 : position % chunk;
            return chunk != 0 && into + blocks > chunk ? position + chunk - into : position;
        }
    }

    Mode mode() {
        return mode;
    }

    CardKernel kernel() {
        return kernel.get();
    }

    Sends sends() {
        return sends;
    }

    /** The word of the command, which the names of results begin with: the driver, and what else tells devices apart. */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The arguments of {@code pace.c} behind the time. */
    List<String> arguments() {
        return Stream.concat(
                        Stream.of(
                                Integer.toString(sends.blocksOfInline),
                                Integer.toString(sends.chunk),
                                Integer.toString(sends.lap),
                                "cqe cq qp " + sends.line),
                        mode.arguments().stream())
                .toList();
    }
}
