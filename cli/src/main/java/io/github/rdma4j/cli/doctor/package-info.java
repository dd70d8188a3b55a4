// SPDX-License-Identifier: Apache-2.0
/**
 * {@code rdma4j doctor}: what stands between this machine or container and RDMA, and the command that mends it. One
 * {@link io.github.rdma4j.cli.doctor.Check} a class, each over the same {@link io.github.rdma4j.cli.doctor.Survey}.
 */
@NullMarked
package io.github.rdma4j.cli.doctor;

import org.jspecify.annotations.NullMarked;
