// SPDX-License-Identifier: Apache-2.0
/** The driver of Alibaba Cloud's elastic RDMA adapter in the harness. */
@NullMarked
package io.github.rdma4j.providers.erdma;

import org.jspecify.annotations.NullMarked;
