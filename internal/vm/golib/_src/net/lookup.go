package net

import (
	"context"
	"internal/stringslite"
)

// dial connects to a name server. There is none, unless the program brings its own.
func (r *Resolver) dial(ctx context.Context, network, server string) (Conn, error) {
	if !r.asksServer() {
		unsupported("network access to a name server")
	}
	c, err := r.Dial(ctx, network, server)
	if err != nil {
		return nil, mapErr(err)
	}
	return c, nil
}

func (r *Resolver) lookupHost(ctx context.Context, host string) (addrs []string, err error) {
	order, conf := hostLookupFiles, (*dnsConfig)(nil)
	if r.asksServer() {
		order, conf = systemConf().hostLookupOrder(r, host)
	}
	addrs, err = r.goLookupHostOrder(ctx, host, order, conf)
	return addrs, r.answer(host, err)
}

func (r *Resolver) lookupIP(ctx context.Context, network, host string) (addrs []IPAddr, err error) {
	order, conf := hostLookupFiles, (*dnsConfig)(nil)
	if r.asksServer() {
		order, conf = systemConf().hostLookupOrder(r, host)
	}
	addrs, _, err = r.goLookupIPCNAMEOrder(ctx, network, host, order, conf)
	return addrs, r.answer(host, err)
}

// asksServer reports whether the program brings a name server of its own.
func (r *Resolver) asksServer() bool { return r != nil && r.Dial != nil }

// answer returns err, the answer to a question for host, if it is known without
// a name server.
func (r *Resolver) answer(host string, err error) error {
	if err != nil && !r.asksServer() && isDomainName(host) && !neverExists(host) {
		unsupported("network access to a name server, for " + host)
	}
	return err
}

// neverExists reports whether host is a name of RFC 6761, section 6.4: every
// name server answers that it does not exist.
func neverExists(host string) bool {
	host = stringslite.TrimSuffix(host, ".")
	return host == "invalid" || stringslite.HasSuffix(host, ".invalid")
}
