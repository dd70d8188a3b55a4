// SPDX-License-Identifier: Apache-2.0
/** Tests of libmlx5 and the provider in Java on one device. */
@NullMarked
package io.github.rdma4j.providers.peer;

import org.jspecify.annotations.NullMarked;
