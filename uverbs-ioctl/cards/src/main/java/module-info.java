// SPDX-License-Identifier: Apache-2.0

/** Providers for cards, which the verbs load as services. */
module io.github.rdma4j.cards {
    requires io.github.rdma4j.uverbs;
    requires static org.jspecify;

    provides io.github.rdma4j.internal.provider.Provider with
            io.github.rdma4j.internal.bnxt.BnxtProvider,
            io.github.rdma4j.internal.erdma.ErdmaProvider,
            io.github.rdma4j.internal.irdma.IrdmaProvider,
            io.github.rdma4j.internal.mlx4.Mlx4Provider,
            io.github.rdma4j.internal.mlx5.Mlx5Provider,
            io.github.rdma4j.internal.pvrdma.PvrdmaProvider;
}
