// SPDX-License-Identifier: Apache-2.0
/**
 * {@code rdma4j cmtime}: how long each step of making and ending many connections takes, measured and printed as
 * {@code cmtime(1)} of rdma-core does and with either program at either end.
 */
@NullMarked
package io.github.rdma4j.cli.cmtime;

import org.jspecify.annotations.NullMarked;
