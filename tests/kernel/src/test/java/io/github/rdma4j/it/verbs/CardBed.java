// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.verbs;

import io.github.rdma4j.it.support.Datagrams;
import io.github.rdma4j.it.support.End;
import io.github.rdma4j.it.support.Ends;
import io.github.rdma4j.it.support.Loopback;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.providers.RawConnection;
import io.github.rdma4j.providers.card.CardThread;
import io.github.rdma4j.providers.card.Timing;
import io.github.rdma4j.providers.kernel.BnxtSettings;
import io.github.rdma4j.providers.kernel.CardKernel;
import io.github.rdma4j.providers.kernel.ErdmaSettings;
import io.github.rdma4j.providers.kernel.IrdmaSettings;
import io.github.rdma4j.providers.kernel.Mlx4Settings;
import io.github.rdma4j.providers.kernel.Mlx5Settings;
import io.github.rdma4j.support.NewSeed;
import io.github.rdma4j.verbs.DeviceContext;
import java.util.List;

/**
 * A device in software that runs in a thread of its own, for the scenarios of the data path: at once, and at a pace that a
 * seed makes up. Closing the bed fails when a context left anything or the device has complaints.
 */
final class CardBed implements AutoCloseable {
    private static final String PROMPT = "prompt";

    private final CardKernel kernel;
    private final CardThread thread;

    private CardBed(CardKernel kernel) {
        this.kernel = kernel;
        this.thread = CardThread.start(kernel.card());
    }

    /** The beds that scenarios run on: at once, and at two hostile paces, which are others in each run. */
    static List<String> names() {
        long seed = NewSeed.of("CardBed");
        return List.of(PROMPT, Long.toString(seed), Long.toString(seed + 1));
    }

    /** {@link #PROMPT}, or the seed of a hostile pace. */
    static CardBed mlx5(String name) {
        return new CardBed(new CardKernel(new Mlx5Settings().timing(timing(name))));
    }

    /** A ConnectX-3 at that pace; its completions have 32 bytes if the seed is odd. */
    static CardBed mlx4(String name) {
        Mlx4Settings settings = new Mlx4Settings().timing(timing(name));
        return new CardBed(new CardKernel(isOdd(name) ? settings.withSmallCompletions() : settings));
    }

    private static boolean isOdd(String name) {
        return !name.equals(PROMPT) && Long.parseLong(name) % 2 != 0;
    }

    /** An elastic RDMA adapter at that pace; all queue pairs of a context ring in one place if the seed is odd. */
    static CardBed erdma(String name) {
        ErdmaSettings settings = new ErdmaSettings().timing(timing(name));
        return new CardBed(new CardKernel(isOdd(name) ? settings.withOneDoorbell() : settings));
    }

    /** A device of Intel's at that pace. */
    static CardBed irdma(IrdmaSettings settings, String name) {
        return new CardBed(new CardKernel(settings.timing(timing(name))));
    }

    /** A NetXtreme-E at that pace: a P7, or a P5 if the seed is odd. */
    static CardBed bnxt(String name) {
        BnxtSettings settings = new BnxtSettings().timing(timing(name));
        return new CardBed(new CardKernel(isOdd(name) ? settings.p5() : settings));
    }

    private static Timing timing(String name) {
        return name.equals(PROMPT) ? Timing.prompt() : Timing.hostile(Long.parseLong(name));
    }

    /** A card that does everything at once. */
    static CardBed prompt() {
        return mlx5(PROMPT);
    }

    Datagrams device() throws Exception {
        return Datagrams.open(kernel.kernel(), kernel.device());
    }

    DeviceContext openContext() throws Exception {
        return kernel.openDevice();
    }

    /** Two ends on one context, which they own. */
    Ends connect(Loopback.Setup setup) throws Exception {
        return new CardEnds(openContext(), setup);
    }

    private record CardEnds(DeviceContext context, End client, End server) implements Ends {
        CardEnds(DeviceContext context, Loopback.Setup setup) throws RdmaException {
            this(
                    context,
                    new End(context, setup, (pd, options) -> pd.createQp(options)),
                    new End(context, setup, (pd, options) -> pd.createQp(options)));
            RawConnection.connect(
                    client.qp(), server.qp(), CardKernel.WAY, setup.parameters().rnrRetryCount());
        }

        @Override
        public void close() throws RdmaException {
            context.close();
        }
    }

    @Override
    public void close() {
        thread.close();
        kernel.assertClean();
    }
}
