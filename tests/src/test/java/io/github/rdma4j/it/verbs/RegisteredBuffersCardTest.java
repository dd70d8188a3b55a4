// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.verbs;

import io.github.rdma4j.it.support.Datagrams;
import io.github.rdma4j.it.support.DispatchedPairs.Pair;
import io.github.rdma4j.it.support.RawConnection;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.lab.mlx5.kernel.Mlx5Kernel;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.attr.AhAttr;
import io.github.rdma4j.verbs.dispatch.CompletionDispatcher;
import io.github.rdma4j.verbs.dispatch.DispatcherOptions;
import java.util.function.UnaryOperator;

/** Pooled buffers of Netty on a ConnectX in software. */
@SuppressWarnings("NullAway.Init") // each test opens the device first
class RegisteredBuffersCardTest extends RegisteredBuffersScenarios {
    private CardBed card;
    private DeviceContext context;
    private CompletionDispatcher dispatcher;
    private ProtectionDomain pd;

    @Override
    void openDevice(DispatcherOptions options) throws Exception {
        card = CardBed.prompt();
        context = card.openContext();
        dispatcher = CompletionDispatcher.open(context, options);
        pd = context.allocatePd();
    }

    @Override
    CompletionDispatcher dispatcher() {
        return dispatcher;
    }

    @Override
    ProtectionDomain pd() {
        return pd;
    }

    @Override
    Pair connect(UnaryOperator<QueuePairOptions.Builder> change) throws Exception {
        QueuePairOptions options = change.apply(QueuePairOptions.builder().cq(dispatcher.completionQueue()))
                .build();
        QueuePair client = pd.createQp(options);
        QueuePair server = pd.createQp(options);
        RawConnection.connect(client, server, AhAttr.to(Datagrams.gid(Rxe.IPV4), Mlx5Kernel.IPV4_GID, Datagrams.PORT));
        return new Pair(dispatcher.attach(client), dispatcher.attach(server));
    }

    @Override
    void closeDevice() throws Exception {
        context.close();
        card.close();
    }
}
