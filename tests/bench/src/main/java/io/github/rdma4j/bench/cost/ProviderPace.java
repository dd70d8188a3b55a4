// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.cost;

import static io.github.rdma4j.bench.cost.VerbsSteps.BATCH;

import io.github.rdma4j.bench.cost.PaceLoop.Benchmark;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.providers.RawConnection;
import io.github.rdma4j.providers.kernel.CardKernel;
import io.github.rdma4j.verbs.DeviceContext;
import java.io.IOException;
import java.util.Map;

/**
 * Posting and polling on the rings of a {@link PaceDevice} that does nothing by itself, as {@code pace.c} does on those of its C library,
 * with the lines of {@link PaceLoop}. A program of its own, which {@link ProviderBench} starts.
 */
public final class ProviderPace implements AutoCloseable {
    private final PaceDevice device;
    private final CardKernel kernel;
    private final DeviceContext context;
    private final VerbsSteps verbs;
    private int position;

    ProviderPace(PaceDevice device) throws RdmaException {
        this.device = device;
        kernel = device.kernel();
        context = kernel.openDevice();
        verbs = new VerbsSteps(context);
        RawConnection.connect(verbs.qp(), verbs.qp().qpn(), CardKernel.WAY);
    }

    /** Arguments: milliseconds of an iteration, iterations, batches of warming up, the name of the device. */
    public static void main(String... arguments) throws IOException {
        try (ProviderPace pace = new ProviderPace(PaceDevice.valueOf(arguments[3]))) {
            new PaceLoop(arguments).measure(pace.benchmarks());
        }
    }

    Map<String, Benchmark> benchmarks() {
        return verbs.benchmarks(() -> complete(1), () -> complete(device.sends().blocksOfInline()));
    }

    /** As the device: the next sends, of so many blocks each, have been carried out. */
    private void complete(int blocks) {
        PaceDevice.Sends sends = device.sends();
        for (int i = 0; i < BATCH; i++) {
            int begin = sends.begin(position, blocks);
            kernel.card().feignSend(verbs.qp().qpn(), begin % sends.lap(), sends.code());
            position = (begin + blocks) % sends.lap();
        }
    }

    @Override
    public void close() throws RdmaException {
        context.close();
    }
}
