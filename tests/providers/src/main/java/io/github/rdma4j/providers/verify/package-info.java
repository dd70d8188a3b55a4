// SPDX-License-Identifier: Apache-2.0
/** {@code rdma4j verify provider}: random verbs on a provider in Java and on its library in C, as many as are asked for. */
@NullMarked
package io.github.rdma4j.providers.verify;

import org.jspecify.annotations.NullMarked;
