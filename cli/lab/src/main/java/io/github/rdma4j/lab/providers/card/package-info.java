// SPDX-License-Identifier: Apache-2.0
/**
 * A ConnectX in software: it takes work by the doorbell, reads and writes the queues in this process's memory as the hardware
 * does by DMA, and checks what it finds there. The formats are those that libmlx5 writes and reads
 * ({@code infiniband/mlx5dv.h}); all fields of queues, records and doorbells are big-endian.
 */
@NullMarked
package io.github.rdma4j.lab.providers.card;

import org.jspecify.annotations.NullMarked;
